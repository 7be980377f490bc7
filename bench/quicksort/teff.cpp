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
    quicksort::input input = quicksort::generated(p);
    const double seconds =
        time_seconds([&] { teff::execute(options_of(p), [&] { task(input.begin(), input.end()); }); });
    return quicksort::checked(input, seconds);
}

}  // namespace bench
