// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// event_count: which threads it counts, which of them a notification wakes, and that no wake-up is lost.
#include <teff/scheduler/event_count.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

TEST(event_count, counts_searchers_and_sleepers) {
    teff::event_count members;
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

TEST(event_count, wakes_none_without_sleepers) {
    teff::event_count members;
    EXPECT_FALSE(members.notify_one());
    members.notify_all();
}

TEST(event_count, a_searcher_makes_a_call_needless) {
    teff::event_count members;
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    members.begin_search();
    EXPECT_FALSE(members.notify_one());
    EXPECT_FALSE(members.sleep(ticket, 0));
    members.end_search();
}

TEST(event_count, a_call_after_the_ticket_ends_the_sleep) {
    teff::event_count members;
    members.begin_search();
    const std::uint32_t ticket = members.prepare_sleep();
    EXPECT_TRUE(members.notify_one());
    EXPECT_TRUE(members.sleep(ticket));
    EXPECT_EQ(members.sleeping(), 0U);
    const std::uint32_t next = members.prepare_sleep();
    members.notify_all();
    EXPECT_TRUE(members.sleep(next));
}

TEST(event_count, a_sleep_may_be_limited) {
    teff::event_count members;
    members.begin_search();
    EXPECT_FALSE(members.sleep(members.prepare_sleep(), 1000));
    EXPECT_EQ(members.sleeping(), 0U);
}

TEST(event_count, is_empty_in_the_child_of_a_fork) {
    teff::event_count members;
    members.begin_search();
    members.begin_search();
    static_cast<void>(members.prepare_sleep());
    members.reset_after_fork();
    EXPECT_EQ(members.idle(), 0U);
}

// Two threads hand a number back and forth; each sleeps until the other one notifies it. A lost wake-up makes the
// test hang.
TEST(event_count, no_wake_up_is_lost) {
    constexpr long rounds = 20'000;
    teff::event_count members;
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
            members.notify_one();
            members.begin_search();
        }
        members.end_search();
    };
    std::thread other(play, 1);
    play(0);
    other.join();
    EXPECT_EQ(turn.load(), rounds);
}

}  // namespace
