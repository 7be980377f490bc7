// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// skynet with OpenMP tasks, each of which waits for those that it created.
#include <bench/harness/openmp.hpp>
#include <bench/skynet/skynet.hpp>

namespace bench {
namespace {

std::uint64_t task(skynet::node of) {
    if (of.is_leaf()) return of.first;
    std::uint64_t sums[skynet::children];
    for (std::size_t index = 0; index < skynet::children; ++index) {
#pragma omp task default(none) firstprivate(of, index) shared(sums)
        sums[index] = task(of.child(index));
    }
#pragma omp taskwait
    std::uint64_t sum = 0;
    for (const std::uint64_t each : sums) sum += each;
    return sum;
}

}  // namespace

outcome run_skynet(const parameters& p) {
    return skynet::measured<openmp_forks>(p, [](skynet::node of) { return task(of); });
}

}  // namespace bench
