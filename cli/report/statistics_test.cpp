// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of statistics.hpp: medians, that only times of the same round are compared, and the rank sum test beside
// published results.
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

rank_sum tested(const std::vector<double>& first, const std::vector<double>& second) {
    return rank_sum_test(first, second);
}

TEST(rank_sum, short_series_are_counted_out) {
    // Hollander and Wolfe's permeability of membranes, the example of R's wilcox.test(): W = 35, one-sided p = 0.1272.
    const std::vector<double> at_term = {0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46};
    const std::vector<double> early = {1.15, 0.88, 0.90, 0.74, 1.21};
    EXPECT_DOUBLE_EQ(tested(at_term, early).w, 35);
    EXPECT_NEAR(tested(at_term, early).p, 2 * 0.12720613, 1e-6);
    EXPECT_DOUBLE_EQ(tested(early, at_term).w, 15);
    EXPECT_NEAR(tested(early, at_term).p, tested(at_term, early).p, 1e-12);
    // The example of scipy's mannwhitneyu(): U = 17, p = 1/9.
    EXPECT_DOUBLE_EQ(tested({19, 22, 16, 29, 24}, {20, 11, 17, 12}).w, 17);
    EXPECT_NEAR(tested({19, 22, 16, 29, 24}, {20, 11, 17, 12}).p, 1.0 / 9, 1e-12);
}

TEST(rank_sum, equal_values_need_the_normal_distribution) {
    // Ozone in May and in August, R's data set airquality: W = 127.5, p = 0.0001208.
    const std::vector<double> may = {41, 36, 12, 18, 28, 23, 19, 8,  7,  16, 11, 14, 18,
                                     14, 34, 6,  30, 11, 1,  11, 4,  32, 23, 45, 115, 37};
    const std::vector<double> august = {39, 9,  16, 78, 35, 66, 122, 89, 110, 44, 28,  65, 22,
                                        59, 23, 31, 44, 21, 9,  45,  168, 73, 76, 118, 84, 85};
    EXPECT_DOUBLE_EQ(tested(may, august).w, 127.5);
    EXPECT_NEAR(tested(may, august).p, 0.00012080783, 1e-10);
    EXPECT_DOUBLE_EQ(tested({2, 2, 2, 2}, {2, 2, 2}).p, 1);
}

// Thirty values below and above another thirty, so that W has the given value: each of the first thirty is greater than
// as many of the others as its share.
rank_sum of_thirty(int w) {
    std::vector<double> first, second;
    for (int i = 0; i < 30; ++i) {
        second.push_back(i);
        first.push_back(w / 30 + (i < w % 30 ? 1 : 0) - 0.5 - 0.001 * i);
    }
    return tested(first, second);
}

TEST(rank_sum, thirty_runs_of_two_trackers) {
    // Vandierendonck et al., section 5.6.1: W(30) = 321 has p = 5.75 %, by the normal distribution. Counted out it has
    // 5.71 %.
    EXPECT_DOUBLE_EQ(of_thirty(321).w, 321);
    EXPECT_NEAR(of_thirty(321).p, 0.0570643, 1e-6);
    // And W(30) = 132, which the paper has beside p = 2.58e-6.
    EXPECT_DOUBLE_EQ(of_thirty(132).w, 132);
    EXPECT_NEAR(of_thirty(132).p, 6.19777e-7, 1e-11);
    // One value more, and the distribution is not counted out any longer.
    std::vector<double> many, others;
    for (int i = 0; i < 31; ++i) {
        many.push_back(i);
        others.push_back(i + 0.5);
    }
    EXPECT_NEAR(tested(many, others).p, 0.83274, 1e-4);
}

TEST(rank_sum, three_runs_of_each_are_too_few) {
    EXPECT_NEAR(tested({1, 2, 3}, {4, 5, 6}).p, 0.1, 1e-12);
    EXPECT_LT(tested({1, 2, 3, 4}, {5, 6, 7, 8}).p, significance_level);
    EXPECT_THROW((void)tested({}, {1}), std::invalid_argument);
}

}  // namespace
}  // namespace teff::cli
