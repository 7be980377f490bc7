// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count alone, and with threads that sleep until its end. The model checker explores its interleavings.
#include <teff/team/count_latch.hpp>

#include <teff/pool/work_source.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace teff {
namespace {

TEST(count_latch, is_over_when_all_have_ended) {
    count_latch left;
    EXPECT_TRUE(left.is_over());
    left.count_up();
    left.count_up();
    EXPECT_EQ(left.size(), 2U);
    left.count_down();
    EXPECT_FALSE(left.is_over());
    left.count_down();
    EXPECT_TRUE(left.is_over());
    EXPECT_EQ(left.word().load(std::memory_order_relaxed) & count_latch::unfinished, 0U);
}

TEST(count_latch, counts_several_at_once) {
    count_latch left(2);
    left.count_up(3);
    EXPECT_EQ(left.size(), 5U);
    left.count_down(4);
    EXPECT_FALSE(left.is_over());
    event_count nobody;
    count_latch::watcher self{&nobody};
    left.watch(self);
    left.count_up(2);
    left.count_down(3);
    EXPECT_TRUE(left.is_over());
    left.unwatch(self);
}

TEST(count_latch, watchers_may_come_and_go_in_any_order) {
    count_latch left;
    event_count nobody;
    count_latch::watcher first{&nobody}, second{&nobody}, third{&nobody};
    left.count_up();
    left.watch(first);
    left.watch(second);
    left.watch(third);
    left.unwatch(second);
    EXPECT_EQ(left.size(), 1U);
    EXPECT_FALSE(left.is_over());
    left.unwatch(third);
    left.unwatch(first);
    left.count_down();
    EXPECT_TRUE(left.is_over());
}

// One that waits without a thread, for what the last task does.
struct waiter : parked_wait {
    waiter() noexcept : parked_wait{[](parked_wait& self) noexcept { ++static_cast<waiter&>(self).woken; }} {}
    int woken = 0;
    count_latch::watcher entry{.where = nullptr, .parked = this};
};

TEST(count_latch, the_last_task_wakes_parked_waits_once) {
    count_latch left(2);
    waiter first, second;
    event_count nobody;
    count_latch::watcher third{&nobody};
    EXPECT_TRUE(left.watch_unless_over(first.entry));
    left.watch(third);
    EXPECT_TRUE(left.watch_unless_over(second.entry));
    left.count_down();
    EXPECT_EQ(first.woken, 0);
    left.count_down();
    EXPECT_EQ(first.woken, 1);
    EXPECT_EQ(second.woken, 1);
    // Only the event count is left in the list.
    left.count_up();
    left.count_down();
    EXPECT_EQ(first.woken, 1);
    left.unwatch(third);
    EXPECT_FALSE(left.watch_unless_over(first.entry));
    left.count_up();
    left.count_down();
    EXPECT_EQ(first.woken, 1);
    EXPECT_EQ(second.woken, 1);
}

// Sleeps without spinning before, and destroys the latch as soon as it is over.
TEST(count_latch, every_sleeper_is_called) {
    for (int round = 0; round < 200; ++round) {
        auto left = std::make_unique<count_latch>();
        constexpr unsigned enders = 3;
        for (unsigned i = 0; i < enders; ++i)
            left->count_up();
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < enders; ++i)
            threads.emplace_back([&counted = *left] { counted.count_down(); });
        event_count own;
        count_latch::watcher self{&own};
        own.begin_search();
        const std::uint32_t ticket = own.prepare_sleep();
        left->watch(self);
        if (left->is_over())
            own.cancel_sleep();
        else
            own.sleep(ticket);
        own.end_search();
        left->unwatch(self);
        EXPECT_TRUE(left->is_over());
        left.reset();
        for (std::thread& each : threads)
            each.join();
    }
}

}  // namespace
}  // namespace teff
