// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan without threads: the plain recursion, which copies a board only for attempts that succeed, and the task
// loop over a stack.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/stack.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE floorplan::result recursive(const floorplan::problem& input, floorplan::fixed_bound& bound,
                                                 const floorplan::task& attempt) {
    floorplan::result below;
    below += floorplan::step(input, bound, attempt,
                             [&](const floorplan::task& child) { below += recursive(input, bound, child); });
    return below;
}

}  // namespace

outcome run_floorplan(const parameters& p) {
    const floorplan::problem input = floorplan::problem_of(p);
    floorplan::fixed_bound bound(input.optimum);
    const floorplan::task first = floorplan::first_task();
    floorplan::result found;
    const double seconds = time_seconds([&] {
        if (p.variant == "stack") {
            found = reduce_on_stack(floorplan::body<floorplan::fixed_bound>{input, bound}, first);
        } else {
            found = recursive(input, bound, first);
        }
    });
    return floorplan::checked(p, input, seconds, found);
}

}  // namespace bench
