// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate with OpenMP tasks, each of which waits for the two that it created.
#include <bench/harness/openmp.hpp>
#include <bench/integrate/integrate.hpp>

namespace bench {
namespace {

integrate::result task(const integrate::segment& whole) {
    const integrate::halves cut(whole);
    if (cut.good_enough(whole)) return cut.as_result();
    integrate::result left;
    integrate::result right;
#pragma omp task default(none) shared(cut, left)
    left = task(cut.left);
#pragma omp task default(none) shared(cut, right)
    right = task(cut.right);
#pragma omp taskwait
    return left + right;
}

}  // namespace

outcome run_integrate(const parameters& p) {
    const double end = integrate::upper_end(p);
    integrate::result found;
    const double seconds =
        time_seconds([&] { run_in_region(p.threads, [&] { found = task(integrate::whole(end)); }); });
    return integrate::checked(p, seconds, found);
}

}  // namespace bench
