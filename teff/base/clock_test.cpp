// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the counter's rate with the monotonic clock. Each reading of that clock lies between two readings of the
// counter, so each interval lies between two known lengths in cycles, however late the second reading was. A busy
// machine cannot make the test fail.
#include <teff/base/clock.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using teff::cycle_count;
using teff::monotonic_ns;
using teff::ns_of_cycles;

struct bracketed_moment {
    std::int64_t cycles_before = cycle_count();
    std::int64_t ns = monotonic_ns();
    std::int64_t cycles_after = cycle_count();
};

TEST(cycle_clock, agrees_with_the_other_clock) {
    const bracketed_moment begin;
    while (monotonic_ns() - begin.ns < 2'000'000) {
    }
    const bracketed_moment end;
    const auto passed = static_cast<double>(end.ns - begin.ns);
    EXPECT_LT(static_cast<double>(ns_of_cycles(end.cycles_before - begin.cycles_after)), 1.05 * passed);
    EXPECT_GT(static_cast<double>(ns_of_cycles(end.cycles_after - begin.cycles_before)), 0.95 * passed);
}

TEST(cycle_clock, does_not_go_back) {
    std::int64_t last = cycle_count();
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t now = cycle_count();
        EXPECT_GE(now, last);
        last = now;
    }
}

TEST(cycle_clock, many_cycles_take_as_many_times_longer) {
    EXPECT_EQ(ns_of_cycles(0), 0);
    const std::int64_t second = ns_of_cycles(1'000'000'000);
    EXPECT_GT(second, 0);
    EXPECT_NEAR(static_cast<double>(ns_of_cycles(1'000'000'000'000)), 1000.0 * static_cast<double>(second), 1000.0);
}

}  // namespace
