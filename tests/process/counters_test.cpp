// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of workers agree with what was run, on every scheduler; and nothing is counted while they are off.
#include <tests/reduction_samples.hpp>

#include <teff/counters.hpp>

#include <cstdlib>
#include <gtest/gtest.h>

namespace teff::testing {
namespace {

worker_counters sum_of_workers() {
    worker_counters sum;
    for (unsigned worker = 0; worker < counted_workers(); ++worker)
        sum += counters_of_worker(worker);
    return sum;
}

class counters_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, counters_each_scheduler, every_scheduler_name(), scheduler_case_name);

// Every case runs in a process of its own, so the option is read here.
TEST_P(counters_each_scheduler, every_task_was_pushed_or_run_at_once) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    constexpr std::uint32_t depth = 12;
    constexpr auto tasks = static_cast<std::uint64_t>(tasks_of_tree(depth));
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        reset_counters();
        EXPECT_TRUE(counts_right(with_threads(threads), depth));
        const worker_counters sum = sum_of_workers();
        EXPECT_EQ(sum.run + sum.run_at_once, tasks);
        EXPECT_EQ(sum.pushed, sum.run);
        EXPECT_LE(sum.steals_won, sum.steals_tried);
        if (threads == 1) {
            EXPECT_EQ(counters_of_worker(0).run, sum.run);
        }
    }
}

TEST_P(counters_each_scheduler, nothing_is_counted_while_they_are_off) {
    ::setenv("TEFF_COUNTERS", "off", 1);
    EXPECT_TRUE(counts_right(with_threads(3), 10));
    EXPECT_EQ(counted_workers(), 0U);
}

}  // namespace
}  // namespace teff::testing
