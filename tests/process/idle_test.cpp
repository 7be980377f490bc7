// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A moment after the last task the process uses no CPU: its workers sleep, and nothing wakes them.
#include <tests/reduction_samples.hpp>

#include <teff/scheduler/names.hpp>

#include <cstdint>
#include <ctime>
#include <gtest/gtest.h>

namespace teff::testing {
namespace {

std::int64_t cpu_time_ms() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::int64_t{used.tv_sec} * 1000 + used.tv_nsec / 1'000'000;
}

// Longer than any worker looks around before it sleeps.
void pass_half_a_second() {
    timespec left{0, 500'000'000};
    while (::nanosleep(&left, &left) != 0) {
    }
}

class idle_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, idle_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST(idle, a_process_without_tasks_uses_no_cpu) {
    constexpr std::int64_t margin_ms = 30;
    for (const named_choice& each : scheduler_names)
        EXPECT_TRUE(counts_right({.threads = 8, .scheduler = each.name}, 14)) << each.name;
    pass_half_a_second();
    const std::int64_t before = cpu_time_ms();
    pass_half_a_second();
    EXPECT_LT(cpu_time_ms() - before, margin_ms);
}

// The caller's thread is busy with one long task of its own; the workers, who can get nothing, must sleep, too.
TEST_P(idle_each_scheduler, workers_of_a_team_without_work_for_them_use_no_cpu) {
    constexpr std::int64_t margin_ms = 30;
    std::int64_t used = margin_ms;
    const auto body = [&](const enqueue&, std::uint32_t) -> long {
        pass_half_a_second();
        const std::int64_t before = cpu_time_ms();
        pass_half_a_second();
        used = cpu_time_ms() - before;
        return 1;
    };
    EXPECT_TRUE(counts_right(with_threads(8), 14));
    EXPECT_EQ(reduce(with_threads(8), body), 1);
    EXPECT_LT(used, margin_ms);
}

}  // namespace
}  // namespace teff::testing
