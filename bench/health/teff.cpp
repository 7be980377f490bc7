// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health by fork and join of this library.
#include <bench/harness/teff.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) {
    health::country all = health::generated(p);
    const double seconds = time_seconds([&] { teff::execute(options_of(p), [&] { all.live_all<teff_forks>(); }); });
    return health::checked(all, seconds);
}

}  // namespace bench
