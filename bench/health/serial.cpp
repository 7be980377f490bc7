// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) { return health::measured<serial_forks>(p); }

}  // namespace bench
