// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counting on one thread; the interleavings are in tests/model/membership_scenarios.cpp.
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/termination_detector.hpp>

#include <gtest/gtest.h>

namespace {

class termination_detector : public testing::Test {
protected:
    bool is_over() const {
        return teff::termination_detector::all_ran(
            [this](unsigned i) -> const auto& { return accounts_[i]; }, [this] { return accounts_.used(); });
    }
    std::uint64_t unfinished() const {
        return teff::termination_detector::unfinished([this](unsigned i) -> const auto& { return accounts_[i]; },
                                                     accounts_.used());
    }
    teff::termination_detector::account& enter(unsigned slot) {
        accounts_.use(slot);
        return accounts_[slot];
    }

    teff::slots<teff::termination_detector::account> accounts_{4};
};

TEST_F(termination_detector, sums_over_all_members) {
    EXPECT_TRUE(is_over());
    teff::termination_detector::account& first = enter(0);
    teff::termination_detector::account& second = enter(2);
    first.count_push();
    first.count_push();
    EXPECT_FALSE(is_over());
    EXPECT_EQ(unfinished(), 2U);
    second.count_run();
    EXPECT_FALSE(is_over());
    // A member that runs an item may push another one.
    second.count_push();
    second.count_run(2);
    EXPECT_TRUE(is_over());
    EXPECT_EQ(unfinished(), 0U);
}

TEST_F(termination_detector, a_push_that_is_taken_back_leaves_nothing) {
    teff::termination_detector::account& only = enter(0);
    only.count_push();
    only.count_push();
    only.take_back();
    EXPECT_FALSE(is_over());
    only.count_run();
    EXPECT_TRUE(is_over());
    EXPECT_EQ(only.pushes(), 1U);
    EXPECT_EQ(only.runs(), 1U);
}

TEST_F(termination_detector, a_hold_keeps_the_end_away_and_is_not_counted) {
    teff::termination_detector::account& only = enter(0);
    only.hold();
    EXPECT_FALSE(is_over());
    EXPECT_EQ(only.pushes(), 0U);
    EXPECT_EQ(only.runs(), 0U);
    only.count_push();
    only.count_run();
    EXPECT_FALSE(is_over());
    EXPECT_EQ(only.runs(), 1U);
    only.release_hold();
    EXPECT_TRUE(is_over());
    only.release_hold();
    EXPECT_TRUE(is_over());
    EXPECT_EQ(only.pushes(), 1U);
    EXPECT_EQ(only.runs(), 1U);
}

}  // namespace
