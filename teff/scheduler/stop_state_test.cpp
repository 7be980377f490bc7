// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A cancelled team continues to its end. An orphaned team ends the process with a message that says why.
#include <teff/scheduler/stop_state.hpp>

#include <gtest/gtest.h>

namespace {

TEST(stop_state, is_set_by_a_cancellation) {
    teff::stop_state state;
    EXPECT_FALSE(state.is_set());
    state.cancel();
    EXPECT_TRUE(state.is_set());
}

TEST(stop_state_death, an_orphan_stays_one_when_its_task_fails) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    teff::stop_state state;
    state.orphan();
    state.cancel();
    EXPECT_EXIT(static_cast<void>(state.is_set()), testing::ExitedWithCode(1), "teff: .*fork");
}

TEST(stop_state_death, an_orphan_ends_with_a_message) {
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    teff::stop_state state;
    state.orphan();
    EXPECT_EXIT(static_cast<void>(state.is_set()), testing::ExitedWithCode(1), "teff: .*fork");
}

}  // namespace
