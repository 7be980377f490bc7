// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of statistics.hpp: medians, and that only times of the same round are compared.
#include <cli/report/statistics.hpp>

#include <stdexcept>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

TEST(statistics, the_median_is_the_middle_or_the_mean_of_the_middle_two) {
    EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
    EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
    EXPECT_DOUBLE_EQ(median({7}), 7);
    EXPECT_THROW((void)median({}), std::invalid_argument);
}

TEST(statistics, ratios_are_formed_within_a_round) {
    // In round 1 the machine was twice as slow, but each ratio is still one half.
    const std::vector<timed_run> fast = {{0, 1}, {1, 2}, {2, 1}};
    const std::vector<timed_run> slow = {{0, 2}, {1, 4}, {2, 2}};
    const auto ratio = ratio_by_rounds(fast, slow);
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->median, 0.5);
    EXPECT_EQ(ratio->pairs, 3U);
}

TEST(statistics, rounds_that_one_lacks_do_not_count) {
    const std::vector<timed_run> many = {{0, 1}, {1, 9}, {2, 9}};
    const std::vector<timed_run> single = {{0, 4}};
    const auto ratio = ratio_by_rounds(many, single);
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->median, 0.25);
    EXPECT_EQ(ratio->pairs, 1U);
    const std::vector<timed_run> elsewhere = {{7, 1}};
    EXPECT_FALSE(ratio_by_rounds(many, elsewhere));
}

TEST(statistics, quartiles_lie_between_members_in_proportion) {
    const five_number_summary five = quartiles({5, 1, 3, 2, 4});
    EXPECT_DOUBLE_EQ(five.least, 1);
    EXPECT_DOUBLE_EQ(five.lower, 2);
    EXPECT_DOUBLE_EQ(five.middle, 3);
    EXPECT_DOUBLE_EQ(five.upper, 4);
    EXPECT_DOUBLE_EQ(five.most, 5);
    const five_number_summary two = quartiles({10, 0});
    EXPECT_DOUBLE_EQ(two.lower, 2.5);
    EXPECT_DOUBLE_EQ(two.middle, 5);
    EXPECT_DOUBLE_EQ(two.upper, 7.5);
    EXPECT_DOUBLE_EQ(quartiles({7}).upper, 7);
    EXPECT_THROW((void)quartiles({}), std::invalid_argument);
}

}  // namespace
}  // namespace teff::cli
