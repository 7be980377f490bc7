// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi with oneTBB's task_group, without waiting inside tasks, with partial results per thread.
#include <bench/harness/tbb.hpp>
#include <bench/pi/pi.hpp>

namespace bench {
namespace {

using partial_results = padded_partials<pi::result>;

void task(pi::segment whole, double tolerance, tbb::task_group& group, partial_results& partials) {
    for (;;) {
        const pi::halves cut(whole, tolerance);
        if (cut.good_enough) {
            own_partial(partials) += {cut.area, 1};
            return;
        }
        group.run([left = cut.left, tolerance, &group, &partials] { task(left, tolerance, group, partials); });
        whole = cut.right;
    }
}

}  // namespace

outcome run_pi(const parameters& p) {
    const double tolerance = pi::tolerance(p);
    partial_results partials(p.threads);
    const double seconds = time_seconds([&] {
        run_in_group(p.threads, [&](tbb::task_group& group) { task(pi::whole(), tolerance, group, partials); });
    });
    return pi::checked(p, seconds, partials.total());
}

}  // namespace bench
