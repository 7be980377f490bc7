// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health without threads: the plain recursion.
#include <bench/harness/serial.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) {
    health::country all = health::generated(p);
    const double seconds = time_seconds([&] { all.live_all<serial_forks>(); });
    return health::checked(all, seconds);
}

}  // namespace bench
