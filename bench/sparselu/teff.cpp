// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/sparselu/sparselu.hpp>

namespace bench {

outcome run_sparselu(const parameters& p) { return sparselu::measured<teff_forks>(p); }

}  // namespace bench
