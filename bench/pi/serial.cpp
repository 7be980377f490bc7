// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi without threads: the plain recursion, and the task loop over a stack.
#include <bench/harness/stack.hpp>
#include <bench/pi/pi.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE pi::result recursive(const pi::segment& whole, double tolerance) {
    const pi::halves cut(whole, tolerance);
    if (cut.good_enough) return {cut.area, 1};
    pi::result sum = recursive(cut.left, tolerance);
    sum += recursive(cut.right, tolerance);
    return sum;
}

}  // namespace

outcome run_pi(const parameters& p) {
    const double tolerance = pi::tolerance(p);
    pi::result found;
    const double seconds = time_seconds([&] {
        found = p.variant == "recursive" ? recursive(pi::whole(), tolerance)
                                         : reduce_on_stack(pi::body{tolerance}, pi::whole());
    });
    return pi::checked(p, seconds, found);
}

}  // namespace bench
