// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pi splits at the recorded places, and its check detects a wrong area as well as a wrong number of segments.
#include <bench/pi/pi.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::pi {
namespace {

result integrate(double tolerance) { return reduce_on_stack(body{tolerance}, whole()); }

TEST(pi, splits_at_the_recorded_places) {
    for (int power = 1; power <= 12; ++power) {
        const std::string size = "1e-" + std::to_string(power);
        const parameters asked = of_size(size);
        const outcome found = checked(asked, 0, integrate(tolerance(asked)));
        EXPECT_TRUE(found.verified) << size << ": " << found.answer << ", expected " << found.expected;
    }
}

TEST(pi, a_tolerance_without_a_recorded_count_is_checked_by_the_area) {
    const result found = integrate(3e-9);
    EXPECT_TRUE(checked(of_size("3e-9"), 0, found).verified);
    EXPECT_FALSE(checked(of_size("3e-9"), 0, {found.area + 1e-7, found.segments}).verified);
}

TEST(pi, a_wrong_result_is_not_verified) {
    const parameters asked = of_size("1e-9");
    const result found = integrate(1e-9);
    ASSERT_TRUE(checked(asked, 0, found).verified);
    EXPECT_FALSE(checked(asked, 0, {found.area, found.segments - 1}).verified);
    EXPECT_FALSE(checked(asked, 0, {found.area + 1e-8, found.segments}).verified);
    EXPECT_FALSE(checked(asked, 0, {std::nan(""), found.segments}).verified);
}

TEST(pi, sizes_out_of_range_are_refused) {
    EXPECT_EQ(tolerance(of_size("pi:1e-12")), 1e-12);
    EXPECT_THROW(tolerance(of_size("1e-18")), usage_error);
    EXPECT_THROW(tolerance(of_size("0")), usage_error);
    EXPECT_THROW(tolerance(of_size("nan")), usage_error);
}

}  // namespace
}  // namespace bench::pi
