// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// tsp without threads: the plain recursion, and the task loop over a stack.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/stack.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE tsp::result recursive(const tsp::problem& input, tsp::task node) {
    tsp::edge decision;
    const tsp::verdict reached = tsp::advance(input, node, decision);
    if (reached != tsp::verdict::branch) return tsp::leaf(reached, node);
    tsp::result both = recursive(input, tsp::excluding(node, decision));
    tsp::include(input, node, decision.from, decision.to);
    both += recursive(input, node);
    return both;
}

}  // namespace

outcome run_tsp(const parameters& p) {
    const tsp::problem input = tsp::problem_of(p);
    const tsp::task first = tsp::first_task(input);
    tsp::result found;
    const double seconds = time_seconds([&] {
        found = p.variant == "stack" ? reduce_on_stack(tsp::body{input}, first) : recursive(input, first);
    });
    return tsp::checked(input, seconds, found);
}

}  // namespace bench
