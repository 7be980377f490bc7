// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) { return matmul::measured<openmp_forks>(p); }

}  // namespace bench
