// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last counted thread that falls asleep is told so, and finds out whether one was awake meanwhile.
#include <teff/observe/quiescence.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

namespace {

using teff::quiescence;

// Counts the thread that runs `body`.
template <class Body>
void on_counted_thread(quiescence& all, Body&& body) {
    std::thread([&] {
        all.count_this_thread();
        body();
        all.leave_out_this_thread();
    }).join();
}

TEST(quiescence, the_only_thread_is_the_last_one_awake) {
    quiescence all;
    on_counted_thread(all, [&] {
        EXPECT_EQ(all.threads(), 1U);
        const quiescence::scoped_sleep asleep(all);
        EXPECT_TRUE(asleep.is_last());
        EXPECT_TRUE(all.is_still(asleep.since()));
    });
    EXPECT_EQ(all.threads(), 0U);
}

TEST(quiescence, ends_when_a_thread_wakes_even_if_it_sleeps_again) {
    quiescence all;
    on_counted_thread(all, [&] {
        std::optional<quiescence::scoped_sleep> first(std::in_place, all);
        on_counted_thread(all, [&] {
            EXPECT_FALSE(all.is_still(first->since()));
            const quiescence::scoped_sleep last(all);
            EXPECT_TRUE(last.is_last());
            EXPECT_TRUE(all.is_still(last.since()));
            first.reset();
            EXPECT_FALSE(all.is_still(last.since()));
            first.emplace(all);
            EXPECT_FALSE(all.is_still(last.since()));
        });
        first.reset();
    });
}

TEST(quiescence, is_held_for_a_reader) {
    quiescence all;
    on_counted_thread(all, [&] {
        const quiescence::scoped_sleep asleep(all);
        std::atomic<int> left{1};
        std::thread other;
        {
            const quiescence::scoped_hold held(all);
            EXPECT_TRUE(held.is_still());
            other = std::thread([&] {
                all.count_this_thread();
                left = 2;
                all.leave_out_this_thread();
            });
            // The other thread has been awake for a while, most probably.
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            EXPECT_EQ(left, 1);
        }
        other.join();
        EXPECT_EQ(left, 2);
    });
}

TEST(quiescence, is_not_held_while_a_thread_is_awake) {
    quiescence all;
    on_counted_thread(all, [&] {
        on_counted_thread(all, [&] {
            const quiescence::scoped_sleep asleep(all);
            EXPECT_FALSE(quiescence::scoped_hold(all).is_still());
        });
    });
}

TEST(quiescence, a_thread_that_is_not_counted_changes_nothing) {
    quiescence all;
    on_counted_thread(all, [&] {
        const quiescence::scoped_sleep counted(all);
        std::thread([&] {
            const quiescence::scoped_sleep other(all);
            EXPECT_FALSE(other.is_last());
        }).join();
        EXPECT_TRUE(all.is_still(counted.since()));
    });
}

}  // namespace
