// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) { return sort::measured<teff_forks>(p); }

}  // namespace bench
