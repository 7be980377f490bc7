// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) { return strassen::measured<openmp_forks>(p); }

}  // namespace bench
