// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks keep threads out, pass on what their holders wrote, and wake the threads that sleep on a mutex.
#include <teff/base/locks.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

TEST(spin_lock, excludes) {
    constexpr int threads = 4, each = 20'000;
    teff::spin_lock guard;
    int count = 0;
    std::vector<std::thread> running;
    for (int i = 0; i < threads; ++i)
        running.emplace_back([&] {
            for (int times = 0; times < each; ++times) {
                const teff::scoped_lock locked(guard);
                ++count;
            }
        });
    for (std::thread& one : running)
        one.join();
    EXPECT_EQ(count, threads * each);
}

TEST(spin_lock, is_released_by_another_thread) {
    teff::spin_lock guard;
    guard.lock();
    int made = 0;
    EXPECT_FALSE(guard.try_lock());
    std::thread other([&] {
        made = 1;
        guard.unlock();
    });
    guard.lock();
    EXPECT_EQ(made, 1);
    guard.unlock();
    other.join();
}

TEST(mutex, is_held_by_one_at_a_time) {
    teff::mutex guard;
    ASSERT_TRUE(guard.try_lock());
    EXPECT_FALSE(guard.try_lock());
    guard.unlock();
    EXPECT_TRUE(guard.try_lock());
    guard.unlock();
}

TEST(mutex, a_scope_holds_it_until_its_end) {
    teff::mutex guard;
    {
        const teff::scoped_lock lock(guard);
        EXPECT_FALSE(guard.try_lock());
    }
    EXPECT_TRUE(guard.try_lock());
}

// The counter is not atomic: without exclusion increments are lost, and ThreadSanitizer reports the race.
TEST(mutex, excludes_threads) {
    constexpr int threads = 4, rounds = 20'000;
    teff::mutex guard;
    long counter = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back([&] {
            for (int round = 0; round < rounds; ++round) {
                const teff::scoped_lock lock(guard);
                ++counter;
            }
        });
    for (std::thread& each : all)
        each.join();
    EXPECT_EQ(counter, long{threads} * rounds);
}

// The holder yields while it holds the mutex, so that the other threads go to sleep on it; each must be woken.
TEST(mutex, wakes_the_threads_that_sleep_on_it) {
    constexpr int threads = 4, rounds = 200;
    teff::mutex guard;
    std::atomic<int> waiting{0};
    long counter = 0;
    std::vector<std::thread> all;
    for (int i = 0; i < threads; ++i)
        all.emplace_back([&] {
            for (int round = 0; round < rounds; ++round) {
                ++waiting;
                const teff::scoped_lock lock(guard);
                --waiting;
                ++counter;
                for (int turn = 0; turn < 20 && waiting.load() != 0; ++turn)
                    std::this_thread::yield();
            }
        });
    for (std::thread& each : all)
        each.join();
    EXPECT_EQ(counter, long{threads} * rounds);
    EXPECT_TRUE(guard.try_lock());
}

TEST(mutex, is_free_in_the_child_of_a_fork_after_its_reset) {
    teff::mutex guard;
    guard.lock();
    guard.reset_after_fork();
    EXPECT_TRUE(guard.try_lock());
}

}  // namespace
