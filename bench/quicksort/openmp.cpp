// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quicksort with OpenMP tasks, each of which waits for the two that it created.
#include <bench/harness/openmp.hpp>
#include <bench/quicksort/quicksort.hpp>

namespace bench {
namespace {

void task(quicksort::element* first, quicksort::element* last) {
    if (last - first < 2) return;
    quicksort::element* const middle = quicksort::partition(first, last);
#pragma omp task default(none) firstprivate(first, middle)
    task(first, middle);
#pragma omp task default(none) firstprivate(middle, last)
    task(middle, last);
#pragma omp taskwait
}

}  // namespace

outcome run_quicksort(const parameters& p) {
    return quicksort::measured<openmp_forks>(p, [](auto* first, auto* last) { task(first, last); });
}

}  // namespace bench
