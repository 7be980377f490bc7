// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A moment after the last task the process uses no CPU: its workers sleep, and nothing wakes them. How long a moment is
// depends on what else the machine does; so what it costs is bounded, and not how long it is.
#include <tests/reduction_samples.hpp>

#include <teff/schedulers.hpp>

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

std::int64_t cpu_time_of_a_third_of_a_second_ms() {
    const std::int64_t before = cpu_time_ms();
    timespec left{0, 333'000'000};
    while (::nanosleep(&left, &left) != 0) {
    }
    return cpu_time_ms() - before;
}

// Rest is two thirds of a second in a row in which next to nothing is used, and little was used before. Beside busy
// processes the workers may take long to come to it, but they use no more of the CPU on the way.
bool comes_to_rest() {
    constexpr std::int64_t margin_ms = 20, most_ms = 1000;
    const std::int64_t before = cpu_time_ms();
    int quiet = 0;
    for (int third = 0; third < 60 && quiet < 2 && cpu_time_ms() - before < most_ms; ++third)
        quiet = cpu_time_of_a_third_of_a_second_ms() < margin_ms ? quiet + 1 : 0;
    return quiet == 2;
}

class idle_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, idle_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST(idle, a_process_without_tasks_uses_no_cpu) {
    for (const scheduler_traits& each : schedulers())
        EXPECT_TRUE(counts_right({.threads = 8, .scheduler = each.name}, 14)) << each.name;
    EXPECT_TRUE(comes_to_rest());
}

// The caller's thread is busy with one long task of its own; the workers, who can get nothing, must sleep, too.
TEST_P(idle_each_scheduler, workers_of_a_team_without_work_for_them_use_no_cpu) {
    bool at_rest = false;
    const auto body = [&](const enqueue&, std::uint32_t) -> long {
        at_rest = comes_to_rest();
        return 1;
    };
    EXPECT_TRUE(counts_right(with_threads(8), 14));
    EXPECT_EQ(reduce(with_threads(8), body), 1);
    EXPECT_TRUE(at_rest);
}

}  // namespace
}  // namespace teff::testing
