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
    return integrate::measured<openmp_forks>(p, [](const integrate::segment& whole) { return task(whole); });
}

}  // namespace bench
