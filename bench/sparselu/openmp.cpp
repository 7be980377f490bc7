// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) { return sparselu::measured<openmp_forks>(p); }

}  // namespace bench
