// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The count alone, and with threads that sleep until its end. Its interleavings are the model checker's.
#include <teff/runtime/awaited_count.hpp>

#include <teff/scheduler/hunger.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace teff {
namespace {

TEST(awaited_count, is_over_when_all_have_ended) {
    awaited_count left;
    EXPECT_TRUE(left.is_over());
    left.add();
    left.add();
    EXPECT_EQ(left.size(), 2U);
    left.end_one();
    EXPECT_FALSE(left.is_over());
    left.end_one();
    EXPECT_TRUE(left.is_over());
    EXPECT_EQ(left.word().load(std::memory_order_relaxed) & awaited_count::unfinished, 0U);
}

TEST(awaited_count, watchers_may_come_and_go_in_any_order) {
    awaited_count left;
    crowd nobody;
    awaited_count::watcher first{&nobody}, second{&nobody}, third{&nobody};
    left.add();
    left.watch(first);
    left.watch(second);
    left.watch(third);
    left.unwatch(second);
    EXPECT_EQ(left.size(), 1U);
    EXPECT_FALSE(left.is_over());
    left.unwatch(third);
    left.unwatch(first);
    left.end_one();
    EXPECT_TRUE(left.is_over());
}

// Sleeps at once, and frees the count at once.
TEST(awaited_count, every_sleeper_is_called) {
    for (int round = 0; round < 200; ++round) {
        auto left = std::make_unique<awaited_count>();
        constexpr unsigned enders = 3;
        for (unsigned i = 0; i < enders; ++i)
            left->add();
        std::vector<std::thread> threads;
        for (unsigned i = 0; i < enders; ++i)
            threads.emplace_back([&counted = *left] { counted.end_one(); });
        crowd own;
        awaited_count::watcher self{&own};
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
