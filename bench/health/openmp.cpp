// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// health with OpenMP tasks; each task waits for its children. With a cut-off the villages of the lowest levels are
// simulated without tasks.
#include <bench/harness/openmp.hpp>
#include <bench/harness/serial.hpp>
#include <bench/health/health.hpp>

namespace bench {
namespace {

// Villages from `first_direct` on have no tasks.
void live_down_to(health::country& all, std::size_t number, std::size_t first_direct) {
    const std::size_t below = all.first_below(number);
    if (below >= first_direct) {
        all.live_below_and_at<serial_forks>(number);
        return;
    }
    for (std::size_t index = 0; index < health::branches; ++index) {
#pragma omp task default(none) firstprivate(index, below, first_direct) shared(all)
        live_down_to(all, below + index, first_direct);
    }
#pragma omp taskwait
    all.live(number);
}

void live_with_cutoff(health::country& all, long cutoff) {
    // The first village of the level below those that have tasks.
    std::size_t first_direct = 0;
    for (long level = cutoff; level < static_cast<long>(all.levels()); ++level)
        first_direct = all.first_below(first_direct);
    for (unsigned step = 0; step < all.steps(); ++step) live_down_to(all, 0, first_direct);
}

}  // namespace

outcome run_health(const parameters& p) {
    health::country all = health::generated(p);
    const auto live_all = [&] {
        if (p.cutoff > 0)
            live_with_cutoff(all, p.cutoff);
        else
            all.live_all<openmp_forks>();
    };
    const double seconds = time_seconds([&] { run_in_region(p.threads, live_all); });
    return health::checked(all, seconds);
}

}  // namespace bench
