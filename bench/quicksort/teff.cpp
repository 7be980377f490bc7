// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quicksort by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/quicksort/quicksort.hpp>

namespace bench {
namespace {

void task(quicksort::element* first, quicksort::element* last) {
    if (last - first < 2) return;
    quicksort::element* const middle = quicksort::partition(first, last);
    teff::fork_join([first, middle] { task(first, middle); }, [middle, last] { task(middle, last); });
}

}  // namespace

outcome run_quicksort(const parameters& p) {
    return quicksort::measured<teff_forks>(p, [](auto* first, auto* last) { task(first, last); });
}

}  // namespace bench
