// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health with OpenMP tasks; each task waits for its children.
#include <bench/harness/openmp.hpp>
#include <bench/health/health.hpp>

namespace bench {

outcome run_health(const parameters& p) {
    health::country all = health::generated(p);
    const double seconds = time_seconds([&] { run_in_region(p.threads, [&] { all.live_all<openmp_forks>(); }); });
    return health::checked(all, seconds);
}

}  // namespace bench
