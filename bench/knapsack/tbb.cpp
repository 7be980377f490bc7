// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/tbb.hpp>

namespace bench {

outcome run_knapsack(const parameters& p) {
    const knapsack::problem input = knapsack::problem_of(p);
    const knapsack::task first = knapsack::first_task(input);
    return knapsack::with_bound(p, input, [&]<class Bound>(Bound& bound) {
        const auto [seconds, found] = summed_over_tasks<knapsack::result>(
            p, first, [&](const knapsack::task& node, const auto& create) {
                return knapsack::walk(input, bound, node, create);
            });
        return knapsack::checked(p, input, seconds, found);
    });
}

}  // namespace bench
