// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// quicksort without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/quicksort/quicksort.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE void recursive(quicksort::element* first, quicksort::element* last) {
    if (last - first < 2) return;
    quicksort::element* const middle = quicksort::partition(first, last);
    recursive(first, middle);
    recursive(middle, last);
}

}  // namespace

outcome run_quicksort(const parameters& p) {
    return quicksort::measured<serial_forks>(p, [](auto* first, auto* last) { recursive(first, last); });
}

}  // namespace bench
