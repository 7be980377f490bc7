// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// alignment without threads: the plain recursion over the tree of tasks, and the task loop over a stack.
#include <bench/alignment/alignment.hpp>

#include <bench/harness/stack.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE alignment::result recursive(const alignment::problem& input, alignment::task work) {
    alignment::result below;
    below += alignment::step(input, work, [&](alignment::task child) { below += recursive(input, child); });
    return below;
}

}  // namespace

outcome run_alignment(const parameters& p) {
    const alignment::problem input = alignment::problem_of(p);
    const alignment::task first = alignment::first_task(input);
    alignment::result found;
    const double seconds = time_seconds([&] {
        found = p.variant == "stack" ? reduce_on_stack(alignment::body{input}, first) : recursive(input, first);
    });
    return alignment::checked(input, seconds, found);
}

}  // namespace bench
