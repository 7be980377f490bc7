// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the pauses between thefts grow and end.
#include <teff/runtime/theft_pause.hpp>

#include <gtest/gtest.h>

namespace {

using teff::theft_pause;

std::int64_t pause_after_work(theft_pause& pause, std::int64_t cycles) {
    pause.begin_work(1'000);
    return pause.end_work(1'000 + cycles);
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

TEST(theft_pause, ends_with_the_first_theft_that_is_worth_it) {
    theft_pause pause;
    for (int i = 0; i < 20; ++i)
        pause_after_work(pause, 1);
    EXPECT_EQ(pause_after_work(pause, theft_pause::worthwhile), 0);
    EXPECT_EQ(pause_after_work(pause, 1), theft_pause::least);
}

TEST(theft_pause, there_is_none_after_a_search_that_found_nothing) {
    theft_pause pause;
    EXPECT_EQ(pause.end_work(1'000), 0);
    pause_after_work(pause, 1);
    EXPECT_EQ(pause.end_work(2'000), 0);
}

TEST(theft_pause, a_clock_that_was_set_back_counts_as_much_work) {
    theft_pause pause;
    EXPECT_EQ(pause_after_work(pause, -1), 0);
}

TEST(theft_pause, is_cut_short_when_there_is_nothing_more_to_look_for) {
    theft_pause pause;
    pause.begin_work(teff::cycle_count());
    int looks = 0;
    pause.end_work_and_pause([&] { return ++looks == 1; });
    EXPECT_LE(looks, 1);
}

}  // namespace
