// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// integrate finds the area with segments whose halves fit together, and detects a wrong area.
#include <bench/integrate/integrate.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::integrate {
namespace {

result recursive(const segment& whole) {
    const halves cut(whole);
    return cut.good_enough(whole) ? cut.as_result() : recursive(cut.left) + recursive(cut.right);
}

TEST(integrate, halves_share_the_middle_and_the_ends) {
    const segment all = whole(4);
    EXPECT_EQ(all.area, 2 * height(4));
    const halves cut(all);
    EXPECT_EQ(cut.left.low, 0);
    EXPECT_EQ(cut.left.high, 2);
    EXPECT_EQ(cut.left.high_height, 10);
    EXPECT_EQ(cut.right.low, 2);
    EXPECT_EQ(cut.right.low_height, 10);
    EXPECT_EQ(cut.right.high, 4);
    EXPECT_EQ(cut.area(), 10 + 10 + height(4));
    EXPECT_FALSE(cut.good_enough(all));
}

TEST(integrate, finds_the_area) {
    for (const char* end : {"1", "10", "37", "100"}) {
        const result found = recursive(whole(upper_end(of_size(end))));
        const outcome checked_result = checked(of_size(end), 0, found);
        EXPECT_TRUE(checked_result.verified) << end << ": " << checked_result.answer;
        EXPECT_EQ(checked_result.tasks, found.segments);
        EXPECT_GT(found.segments, 100U) << end;
    }
}

TEST(integrate, a_wrong_area_is_not_verified) {
    const result found = recursive(whole(10));
    EXPECT_FALSE(checked(of_size("10"), 0, {found.area + 0.01, found.segments}).verified);
    EXPECT_FALSE(checked(of_size("10"), 0, {std::nan(""), found.segments}).verified);
}

TEST(integrate, sizes_out_of_range_are_refused) {
    EXPECT_EQ(upper_end(of_size("integrate:30")), 30);
    EXPECT_THROW(upper_end(of_size("0")), usage_error);
    EXPECT_THROW(upper_end(of_size("10001")), usage_error);
}

}  // namespace
}  // namespace bench::integrate
