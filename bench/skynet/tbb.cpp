// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// skynet with oneTBB: a task_group in each node, which runs the last child itself.
#include <bench/harness/tbb.hpp>
#include <bench/skynet/skynet.hpp>

namespace bench {
namespace {

std::uint64_t task(skynet::node of) {
    if (of.is_leaf()) return of.first;
    constexpr std::size_t last = skynet::children - 1;
    std::uint64_t sums[skynet::children];
    tbb::task_group group;
    for (std::size_t index = 0; index < last; ++index)
        group.run([child = of.child(index), &sum = sums[index]] { sum = task(child); });
    group.run_and_wait([child = of.child(last), &sum = sums[last]] { sum = task(child); });
    std::uint64_t sum = 0;
    for (const std::uint64_t each : sums) sum += each;
    return sum;
}

}  // namespace

outcome run_skynet(const parameters& p) {
    return skynet::measured<tbb_forks>(p, [](skynet::node of) { return task(of); });
}

}  // namespace bench
