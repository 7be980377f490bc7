// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot without threads: the plain recursion, and the task loop over a stack.
#include <bench/dot/dot.hpp>
#include <bench/harness/stack.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE dot::products recursive(const dot::view& elements, dot::range lower) {
    if (lower.is_single()) return elements.at(lower.first);
    const dot::range upper = lower.split();
    dot::products sum = recursive(elements, lower);
    sum += recursive(elements, upper);
    return sum;
}

}  // namespace

outcome run_dot(const parameters& p) {
    const dot::vectors input(p);
    dot::products found;
    const double seconds = time_seconds([&] {
        found = p.variant == "recursive" ? recursive(input.view(), input.whole())
                                         : reduce_on_stack(dot::body{input.view()}, input.whole());
    });
    return input.checked(seconds, found);
}

}  // namespace bench
