// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who counts as idle, whom a call wakes, and that no wake-up is lost.
#include <teff/scheduler/hunger.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

TEST(crowd, counts_searchers_and_sleepers) {
    teff::crowd members;
    EXPECT_EQ(members.idle(), 0U);
    members.begin_search();
    members.begin_search();
    EXPECT_EQ(members.searching(), 2U);
    static_cast<void>(members.prepare_sleep());
    EXPECT_EQ(members.searching(), 1U);
    EXPECT_EQ(members.sleeping(), 1U);
    EXPECT_EQ(members.idle(), 2U);
    members.cancel_sleep();
    EXPECT_EQ(members.searching(), 2U);
    EXPECT_EQ(members.sleeping(), 0U);
    members.end_search();
    members.end_search();
    EXPECT_EQ(members.idle(), 0U);
}

TEST(crowd, calls_nobody_who_is_not_there) {
    teff::crowd members;
    EXPECT_FALSE(members.call());
    members.call_all();
}

TEST(crowd, a_searcher_makes_a_call_needless) {
    teff::crowd members;
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    members.begin_search();
    EXPECT_FALSE(members.call());
    EXPECT_FALSE(members.sleep(ticket, 0));
    members.end_search();
}

TEST(crowd, a_call_after_the_ticket_ends_the_sleep) {
    teff::crowd members;
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    EXPECT_TRUE(members.call());
    EXPECT_TRUE(members.sleep(ticket));
    EXPECT_EQ(members.sleeping(), 0U);
    const std::uint32_t next = members.prepare_sleep();
    members.call_all();
    EXPECT_TRUE(members.sleep(next));
}

TEST(crowd, a_sleep_may_be_limited) {
    teff::crowd members;
    members.begin_search();
    EXPECT_FALSE(members.sleep(members.prepare_sleep(), 1000));
    EXPECT_EQ(members.sleeping(), 0U);
}

TEST(crowd, is_empty_in_the_child_of_a_fork) {
    teff::crowd members;
    members.begin_search();
    members.begin_search();
    static_cast<void>(members.prepare_sleep());
    members.reset_after_fork();
    EXPECT_EQ(members.idle(), 0U);
}

// Two threads hand a number back and forth, each asleep until the other calls: a lost wake-up is a test that hangs.
TEST(crowd, no_call_is_lost) {
    constexpr long rounds = 20'000;
    teff::crowd members;
    std::atomic<long> turn{0};
    const auto play = [&](long parity) {
        members.begin_search();
        for (long mine = parity; mine < rounds; mine += 2) {
            while (turn.load(std::memory_order_relaxed) != mine) {
                const std::uint32_t ticket = members.prepare_sleep();
                if (turn.load(std::memory_order_relaxed) == mine)
                    members.cancel_sleep();
                else
                    members.sleep(ticket);
            }
            turn.store(mine + 1, std::memory_order_relaxed);
            members.end_search();
            members.call();
            members.begin_search();
        }
        members.end_search();
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(turn.load(), rounds);
}

TEST(hunger, members_count_and_outsiders_as_far_as_there_is_room) {
    teff::crowd outside;
    teff::hunger idle(outside, 2);
    EXPECT_FALSE(idle.any());
    for (int i = 0; i < 3; ++i)
        outside.begin_search();
    EXPECT_EQ(idle.count(), 2U);
    idle.inside().begin_search();
    EXPECT_EQ(idle.count(), 3U);
    idle.inside().end_search();
    EXPECT_EQ(idle.count(), 2U);
}

// On its way from the pool into a team and back a worker is never overlooked.
TEST(hunger, a_worker_counts_until_it_has_an_item) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    outside.expect(1);
    EXPECT_EQ(idle.count(), 1U);
    idle.slot_taken();
    EXPECT_EQ(idle.count(), 1U);
    outside.begin_visit();
    EXPECT_EQ(idle.count(), 1U);
    idle.inside().end_search();
    outside.begin_stay();
    EXPECT_FALSE(idle.any());
    idle.inside().begin_search();
    EXPECT_EQ(idle.count(), 1U);
    outside.end_stay();
    EXPECT_EQ(idle.count(), 1U);
    outside.end_visit();
    EXPECT_EQ(idle.count(), 1U);
    idle.slot_freed();
    EXPECT_EQ(idle.count(), 1U);
    EXPECT_EQ(outside.searching(), 1U);
    outside.do_not_expect(1);
    EXPECT_FALSE(idle.any());
}

TEST(hunger, visible_work_calls_a_member_first_then_an_outsider) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    outside.begin_search();
    const std::uint32_t outsider = outside.prepare_sleep();
    idle.inside().begin_search();
    const std::uint32_t member = idle.inside().prepare_sleep();
    idle.work_visible();
    EXPECT_TRUE(idle.inside().sleep(member, 0));
    idle.inside().end_search();
    EXPECT_FALSE(outside.sleep(outsider, 0));
    const std::uint32_t again = outside.prepare_sleep();
    idle.work_visible();
    EXPECT_TRUE(outside.sleep(again, 0));
}

TEST(hunger, visible_work_calls_no_outsider_without_room_or_while_a_member_searches) {
    teff::crowd outside;
    teff::hunger idle(outside, 1);
    idle.inside().begin_search();
    outside.begin_search();
    const std::uint32_t outsider = outside.prepare_sleep();
    idle.work_visible();
    idle.slot_taken();
    idle.inside().end_search();
    idle.inside().end_search();
    idle.work_visible();
    EXPECT_FALSE(outside.sleep(outsider, 0));
}

}  // namespace
