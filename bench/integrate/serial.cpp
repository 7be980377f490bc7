// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate without threads: the plain recursion.
#include <bench/integrate/integrate.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE integrate::result recursive(const integrate::segment& whole) {
    const integrate::halves cut(whole);
    if (cut.good_enough(whole)) return cut.as_result();
    const integrate::result left = recursive(cut.left);
    return left + recursive(cut.right);
}

}  // namespace

outcome run_integrate(const parameters& p) {
    const double end = integrate::upper_end(p);
    integrate::result found;
    const double seconds = time_seconds([&] { found = recursive(integrate::whole(end)); });
    return integrate::checked(p, seconds, found);
}

}  // namespace bench
