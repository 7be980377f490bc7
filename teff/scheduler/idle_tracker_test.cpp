// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// idle_tracker: which workers a team counts as idle, and which of them it wakes.
#include <teff/scheduler/idle_tracker.hpp>

#include <gtest/gtest.h>

namespace {

TEST(idle_tracker, members_count_and_outsiders_as_far_as_there_is_room) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 2);
    EXPECT_FALSE(idle.any());
    for (int i = 0; i < 3; ++i)
        outside.begin_search();
    EXPECT_EQ(idle.count(), 2U);
    idle.members().begin_search();
    EXPECT_EQ(idle.count(), 3U);
    idle.members().end_search();
    EXPECT_EQ(idle.count(), 2U);
}

// A worker stays counted at every step of its way from the pool into a team and back.
TEST(idle_tracker, a_worker_counts_until_it_has_an_item) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    outside.expect(1);
    EXPECT_EQ(idle.count(), 1U);
    idle.slot_taken();
    EXPECT_EQ(idle.count(), 1U);
    outside.begin_visit();
    EXPECT_EQ(idle.count(), 1U);
    idle.members().end_search();
    outside.begin_work();
    EXPECT_FALSE(idle.any());
    idle.members().begin_search();
    EXPECT_EQ(idle.count(), 1U);
    outside.end_work();
    EXPECT_EQ(idle.count(), 1U);
    outside.end_visit();
    EXPECT_EQ(idle.count(), 1U);
    idle.slot_freed();
    EXPECT_EQ(idle.count(), 1U);
    EXPECT_EQ(outside.searching(), 1U);
    outside.do_not_expect(1);
    EXPECT_FALSE(idle.any());
}

TEST(idle_tracker, all_rest_if_no_searcher_looks) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 2);
    EXPECT_FALSE(idle.all_rest());
    idle.members().begin_search();
    idle.members().begin_search();
    EXPECT_EQ(idle.members().begin_rest(), 0U);
    EXPECT_FALSE(idle.all_rest());
    EXPECT_EQ(idle.members().begin_rest(), 1U);
    EXPECT_TRUE(idle.all_rest());
    // They still count as idle, and as searchers, so that nobody else is woken.
    EXPECT_EQ(idle.count(), 2U);
    EXPECT_EQ(idle.members().searching(), 2U);
    EXPECT_EQ(idle.members().resting(), 2U);
    idle.members().end_rest();
    EXPECT_FALSE(idle.all_rest());
}

TEST(idle_tracker, calls_are_counted_while_somebody_rests) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 2);
    const unsigned before = idle.calls();
    idle.call_resting(1);
    idle.work_visible_to_some();
    EXPECT_EQ(idle.calls(), before);
    idle.members().begin_search();
    idle.members().begin_rest();
    idle.call_resting(1);
    EXPECT_EQ(idle.calls(), before + 1);
    // Any of them may be the one that the item is for.
    idle.work_visible_to_some();
    EXPECT_GE(idle.calls(), before + 1 + 2);
}

TEST(idle_tracker, all_that_rest_are_called_in_a_fixed_team) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 0);
    constexpr unsigned members = 3;
    unsigned before_last = 0;
    for (unsigned i = 0; i < members; ++i) {
        idle.members().begin_search();
        before_last = idle.members().begin_rest();
    }
    const unsigned before = idle.calls();
    idle.work_visible_to_some();
    EXPECT_GT(idle.calls() - before, before_last);
    const unsigned after = idle.calls();
    idle.work_visible_to_each();
    EXPECT_GT(idle.calls() - after, before_last);
}

TEST(idle_tracker, visible_work_calls_a_member_first_then_an_outsider) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    outside.begin_search();
    const std::uint32_t outsider = outside.prepare_sleep();
    idle.members().begin_search();
    const std::uint32_t member = idle.members().prepare_sleep();
    idle.work_visible();
    EXPECT_TRUE(idle.members().sleep(member, 0));
    idle.members().end_search();
    EXPECT_FALSE(outside.sleep(outsider, 0));
    const std::uint32_t again = outside.prepare_sleep();
    idle.work_visible();
    EXPECT_TRUE(outside.sleep(again, 0));
}

TEST(idle_tracker, visible_work_calls_no_outsider_without_room_or_while_a_member_searches) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    idle.members().begin_search();
    outside.begin_search();
    const std::uint32_t outsider = outside.prepare_sleep();
    idle.work_visible();
    idle.slot_taken();
    idle.members().end_search();
    idle.members().end_search();
    idle.work_visible();
    EXPECT_FALSE(outside.sleep(outsider, 0));
}

TEST(idle_tracker, a_quiet_team_counts_nobody_and_wakes_nobody) {
    teff::event_count outside;
    teff::idle_tracker idle(outside, 1);
    outside.begin_search();
    std::int64_t now = 1'000'000;
    const std::uint32_t before = outside.prepare_sleep();
    while (!idle.bursts().is_quiet()) {
        EXPECT_EQ(idle.count(), 1U);
        idle.begin_burst(++now, false);
        idle.end_burst(++now, false);
    }
    EXPECT_TRUE(outside.sleep(before, 0)) << "nobody was called to watch";
    const std::uint32_t outsider = outside.prepare_sleep();
    EXPECT_EQ(idle.count(), 0U);
    EXPECT_FALSE(idle.any());
    EXPECT_FALSE(idle.would_notify());
    idle.work_visible();
    EXPECT_FALSE(outside.sleep(outsider, 0));
    const std::uint32_t again = outside.prepare_sleep();
    idle.work_visible_to_some();
    EXPECT_TRUE(outside.sleep(again, 0));
    EXPECT_TRUE(idle.any());
}

}  // namespace
