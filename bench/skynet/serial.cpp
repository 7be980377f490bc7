// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// skynet without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/skynet/skynet.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE std::uint64_t recursive(skynet::node of) {
    if (of.is_leaf()) return of.first;
    std::uint64_t sum = 0;
    for (std::size_t index = 0; index < skynet::children; ++index) sum += recursive(of.child(index));
    return sum;
}

}  // namespace

outcome run_skynet(const parameters& p) {
    return skynet::measured<serial_forks>(p, [](skynet::node of) { return recursive(of); });
}

}  // namespace bench
