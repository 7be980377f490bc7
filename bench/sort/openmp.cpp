// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sort with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/sort/sort.hpp>

namespace bench {

outcome run_sort(const parameters& p) { return sort::measured<openmp_forks>(p); }

}  // namespace bench
