// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack without threads: the plain recursion, and the task loop over a stack.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/stack.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE knapsack::result recursive(const knapsack::problem& input, knapsack::fixed_bound& bound,
                                                knapsack::task node) {
    if (node.room < 0) return {.tasks = 1};
    const knapsack::verdict seen = knapsack::look_at(input, bound, node);
    if (seen == knapsack::verdict::full) return {node.value, 1};
    if (seen == knapsack::verdict::cut_off) return {.tasks = 1};
    knapsack::result both = recursive(input, bound, knapsack::without_next(node));
    both += recursive(input, bound, knapsack::with_next(input, node));
    return both;
}

}  // namespace

outcome run_knapsack(const parameters& p) {
    const knapsack::problem input = knapsack::problem_of(p);
    const knapsack::task first = knapsack::first_task(input);
    knapsack::fixed_bound bound(input.optimum);
    knapsack::result found;
    const double seconds = time_seconds([&] {
        if (p.variant == "stack") {
            found = reduce_on_stack(knapsack::body<knapsack::fixed_bound>{input, bound}, first);
        } else {
            found = recursive(input, bound, first);
        }
    });
    return knapsack::checked(p, input, seconds, found);
}

}  // namespace bench
