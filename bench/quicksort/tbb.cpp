// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quicksort with oneTBB's parallel_invoke, which waits for its two calls.
#include <bench/harness/tbb.hpp>
#include <bench/quicksort/quicksort.hpp>

#include <tbb/parallel_invoke.h>

namespace bench {
namespace {

void task(quicksort::element* first, quicksort::element* last) {
    if (last - first < 2) return;
    quicksort::element* const middle = quicksort::partition(first, last);
    tbb::parallel_invoke([first, middle] { task(first, middle); }, [middle, last] { task(middle, last); });
}

}  // namespace

outcome run_quicksort(const parameters& p) {
    return quicksort::measured<tbb_forks>(p, [](auto* first, auto* last) { task(first, last); });
}

}  // namespace bench
