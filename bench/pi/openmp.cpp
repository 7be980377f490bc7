// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi with OpenMP tasks that do not wait, with partial results in threadprivate variables, as in Blaze-Tasks, Fig. 2.
#include <bench/pi/pi.hpp>

namespace bench {
namespace {

// Declared before its definition, because GCC regards its initialisation as a use, and uses must follow the pragma.
extern pi::result partial;
#pragma omp threadprivate(partial)
pi::result partial;

void task(pi::segment whole, double tolerance) {
    for (;;) {
        const pi::halves cut(whole, tolerance);
        if (cut.good_enough) {
            partial += {cut.area, 1};
            return;
        }
        const pi::segment left = cut.left;
#pragma omp task default(none) firstprivate(left, tolerance)
        task(left, tolerance);
        whole = cut.right;
    }
}

pi::result integrate(unsigned threads, double tolerance) {
    pi::result sum;
#pragma omp parallel num_threads(static_cast<int>(threads)) default(none) firstprivate(tolerance) shared(sum)
    {
        partial = {};
#pragma omp single
        task(pi::whole(), tolerance);
#pragma omp critical
        sum += partial;
    }
    return sum;
}

}  // namespace

outcome run_pi(const parameters& p) {
    const double tolerance = pi::tolerance(p);
    pi::result found;
    const double seconds = time_seconds([&] { found = integrate(p.threads, tolerance); });
    return pi::checked(p, seconds, found);
}

}  // namespace bench
