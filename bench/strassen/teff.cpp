// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/strassen/strassen.hpp>

namespace bench {

outcome run_strassen(const parameters& p) { return strassen::measured<teff_forks>(p); }

}  // namespace bench
