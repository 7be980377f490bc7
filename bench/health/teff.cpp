// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) { return health::measured<teff_forks>(p); }

}  // namespace bench
