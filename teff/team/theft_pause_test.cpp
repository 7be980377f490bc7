// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the pauses between thefts, and between looks in vain, grow and end.
#include <teff/team/theft_pause.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace {

using teff::theft_pause;

std::int64_t pause_after_work(theft_pause& pause, std::int64_t cycles, bool took_last = false, unsigned resting = 0) {
    pause.begin_work(1'000, took_last);
    return pause.end_work(1'000 + cycles, resting);
}

TEST(theft_pause, grows_after_each_short_theft_up_to_a_bound) {
    theft_pause pause;
    std::int64_t expected = theft_pause::least;
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(pause_after_work(pause, theft_pause::worthwhile - 1), expected);
        expected = std::min(2 * expected, theft_pause::most);
    }
    EXPECT_EQ(expected, theft_pause::most);
}

TEST(theft_pause, the_bound_is_larger_the_more_members_rest) {
    theft_pause pause;
    std::int64_t longest = 0;
    for (int i = 0; i < 20; ++i)
        longest = pause_after_work(pause, 1, false, 15);
    EXPECT_EQ(longest, 16 * theft_pause::most);
}

TEST(theft_pause, ends_with_the_first_theft_that_is_worth_it) {
    theft_pause pause;
    for (int i = 0; i < 20; ++i)
        pause_after_work(pause, 1);
    EXPECT_EQ(pause_after_work(pause, theft_pause::worthwhile), 0);
    EXPECT_EQ(pause_after_work(pause, 1), theft_pause::least);
}

TEST(theft_pause, an_owner_s_last_item_has_to_bring_more_work) {
    theft_pause pause;
    EXPECT_EQ(pause_after_work(pause, theft_pause::worthwhile, true), theft_pause::least);
    EXPECT_EQ(pause_after_work(pause, theft_pause::worthwhile_last, true), 0);
}

TEST(theft_pause, there_is_none_after_a_search_that_found_nothing) {
    theft_pause pause;
    EXPECT_EQ(pause.end_work(1'000, 0), 0);
    pause_after_work(pause, 1);
    EXPECT_EQ(pause.end_work(2'000, 0), 0);
}

TEST(theft_pause, there_is_none_after_work_that_was_given) {
    theft_pause pause;
    pause.begin_work(1'000, false);
    pause.forget_work();
    EXPECT_EQ(pause.end_work(1'001, 0), 0);
}

TEST(theft_pause, a_clock_that_was_set_back_counts_as_much_work) {
    theft_pause pause;
    EXPECT_EQ(pause_after_work(pause, -1), 0);
}

TEST(theft_pause, looks_in_vain_are_free_at_first_and_then_longer_and_longer_apart) {
    theft_pause pause;
    for (unsigned i = 0; i < theft_pause::patience; ++i)
        EXPECT_EQ(pause.look_in_vain(0), 0);
    EXPECT_EQ(pause.look_in_vain(0), theft_pause::least);
    EXPECT_EQ(pause.look_in_vain(0), 2 * theft_pause::least);
}

TEST(theft_pause, more_looks_are_free_after_a_theft_that_was_worth_it) {
    theft_pause pause;
    pause_after_work(pause, theft_pause::worthwhile);
    for (unsigned i = 0; i < theft_pause::patience_after_work; ++i)
        EXPECT_EQ(pause.look_in_vain(0), 0);
    EXPECT_EQ(pause.look_in_vain(0), theft_pause::least);
    // And fewer again after a short one.
    pause_after_work(pause, 1);
    for (unsigned i = 0; i < theft_pause::patience; ++i)
        EXPECT_EQ(pause.look_in_vain(0), 2 * theft_pause::least);
    EXPECT_EQ(pause.look_in_vain(0), 4 * theft_pause::least);
}

TEST(theft_pause, is_over_after_enough_work_only) {
    theft_pause pause;
    EXPECT_TRUE(pause.is_over(1));
    pause.begin_work(1'000, false);
    EXPECT_FALSE(pause.is_over(1'000 + theft_pause::worthwhile - 1));
    EXPECT_TRUE(pause.is_over(1'000 + theft_pause::worthwhile));
    EXPECT_EQ(pause.end_work(1'001, 0), 0);
}

TEST(theft_pause, a_rest_ends_in_time_or_if_the_clock_was_set_back) {
    EXPECT_TRUE(theft_pause::lasts(100, 1'000, 1'000));
    EXPECT_TRUE(theft_pause::lasts(100, 1'000, 1'099));
    EXPECT_FALSE(theft_pause::lasts(100, 1'000, 1'100));
    EXPECT_FALSE(theft_pause::lasts(100, 1'000, 999));
    EXPECT_FALSE(theft_pause::lasts(100, 1'000, 1));
}

TEST(theft_pause, says_once_that_the_member_has_rested) {
    theft_pause pause;
    EXPECT_FALSE(pause.has_rested());
    pause.note_rest();
    EXPECT_TRUE(pause.has_rested());
    EXPECT_FALSE(pause.has_rested());
}

}  // namespace
