// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of time_left.hpp.
#include <cli/bench/time_left.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(time_left, is_unknown_before_the_first_run) {
    EXPECT_FALSE(seconds_left({{5}, {5}}));
    EXPECT_FALSE(seconds_left({}));
}

TEST(time_left, takes_the_last_run_of_each_and_the_mean_for_others) {
    EXPECT_DOUBLE_EQ(*seconds_left({{2, 10.0}, {3, 1.0}}), 23);
    EXPECT_DOUBLE_EQ(*seconds_left({{2, 10.0}, {3, 2.0}, {4}}), 26 + 4 * 6);
    // A configuration that is done counts for the mean alone.
    EXPECT_DOUBLE_EQ(*seconds_left({{0, 10.0}, {2}}), 20);
}

TEST(time_left, is_told_roughly) {
    EXPECT_EQ(rough_duration(0), "0 s");
    EXPECT_EQ(rough_duration(3.2), "4 s");
    EXPECT_EQ(rough_duration(89), "89 s");
    EXPECT_EQ(rough_duration(91), "2 min");
    EXPECT_EQ(rough_duration(5399), "90 min");
    EXPECT_EQ(rough_duration(7200), "2 h");
    EXPECT_EQ(rough_duration(7201), "2 h 10 min");
}

}  // namespace
}  // namespace teff::cli
