// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/matmul/matmul.hpp>

namespace bench {

outcome run_matmul(const parameters& p) { return matmul::measured<teff_forks>(p); }

}  // namespace bench
