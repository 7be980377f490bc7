// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mutex, condition variable, latch and barrier for fibers on every scheduler, with threads of the program among the
// fibers.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using namespace conformance;

class fiber_synchronisation_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, fiber_synchronisation_on, testing::ValuesIn(all_rows()), row_names());

// Runs `f(i)` on `fibers` fibers and one thread that is no fiber, and waits for all.
template <class F>
void on_fibers_and_a_thread(std::size_t fibers, F&& f) {
    std::vector<teff::fiber> started;
    for (std::size_t i = 0; i < fibers; ++i)
        started.emplace_back([&f, i] { f(i); });
    std::thread outside([&f, fibers] { f(fibers); });
    for (teff::fiber& each : started)
        each.join();
    outside.join();
}

TEST_P(fiber_synchronisation_on, a_mutex_excludes) {
    for_some_thread_counts([] {
        constexpr std::size_t fibers = 20, each = 100;
        teff::fiber_mutex mutex;
        std::size_t count = 0;
        on_fibers_and_a_thread(fibers, [&](std::size_t) {
            for (std::size_t times = 0; times < each; ++times) {
                const std::lock_guard lock(mutex);
                const std::size_t seen = count;
                if (times % 10 == 0)
                    teff::this_fiber::yield();
                count = seen + 1;
            }
        });
        EXPECT_EQ(count, (fibers + 1) * each);
    });
}

TEST_P(fiber_synchronisation_on, try_lock_does_not_wait) {
    for_some_thread_counts([] {
        teff::fiber_mutex mutex;
        mutex.lock();
        teff::fiber other([&] { EXPECT_FALSE(mutex.try_lock()); });
        other.join();
        mutex.unlock();
        EXPECT_TRUE(mutex.try_lock());
        mutex.unlock();
    });
}

// With one thread the fibers come one after the other.
TEST_P(fiber_synchronisation_on, a_mutex_is_handed_over_in_order) {
    teff::execute(with_threads(1), [] {
        constexpr std::size_t fibers = 30;
        teff::fiber_mutex mutex;
        std::vector<std::size_t> came;
        std::vector<std::size_t> held;
        mutex.lock();
        std::vector<teff::fiber> started;
        for (std::size_t i = 0; i < fibers; ++i)
            started.emplace_back([&, i] {
                came.push_back(i);
                const std::lock_guard lock(mutex);
                held.push_back(i);
            });
        while (came.size() < fibers)
            teff::this_fiber::yield();
        mutex.unlock();
        for (teff::fiber& each : started)
            each.join();
        EXPECT_EQ(held, came);
    });
}

// A bounded buffer: each value is taken once.
TEST_P(fiber_synchronisation_on, condition_variables_connect_producers_and_consumers) {
    for_some_thread_counts([] {
        constexpr std::size_t pairs = 10, each = 50, room = 3;
        teff::fiber_mutex mutex;
        teff::fiber_condition_variable not_full;
        teff::fiber_condition_variable not_empty;
        std::deque<std::size_t> buffer;
        std::vector<int> taken(pairs * each);
        std::vector<teff::fiber> fibers;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            fibers.emplace_back([&, pair] {
                for (std::size_t i = 0; i < each; ++i) {
                    std::unique_lock lock(mutex);
                    not_full.wait(lock, [&] { return buffer.size() < room; });
                    buffer.push_back(pair * each + i);
                    not_empty.notify_one();
                }
            });
            fibers.emplace_back([&] {
                for (std::size_t i = 0; i < each; ++i) {
                    std::unique_lock lock(mutex);
                    not_empty.wait(lock, [&] { return !buffer.empty(); });
                    ++taken[buffer.front()];
                    buffer.pop_front();
                    not_full.notify_one();
                }
            });
        }
        for (teff::fiber& fiber : fibers)
            fiber.join();
        EXPECT_EQ(taken, std::vector<int>(pairs * each, 1));
    });
}

TEST_P(fiber_synchronisation_on, notify_all_wakes_all) {
    for_some_thread_counts([] {
        teff::fiber_mutex mutex;
        teff::fiber_condition_variable changed;
        bool is_open = false;
        std::size_t passed = 0;
        teff::fiber opens([&] {
            const std::lock_guard lock(mutex);
            is_open = true;
            changed.notify_all();
        });
        on_fibers_and_a_thread(20, [&](std::size_t) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return is_open; });
            ++passed;
        });
        opens.join();
        EXPECT_EQ(passed, 21U);
    });
}

TEST_P(fiber_synchronisation_on, a_latch_opens_at_zero) {
    for_some_thread_counts([] {
        constexpr std::size_t fibers = 20;
        teff::fiber_latch latch(fibers + 1);
        EXPECT_FALSE(latch.try_wait());
        std::vector<int> arrived(fibers + 1);
        std::atomic<int> early{0};
        on_fibers_and_a_thread(fibers, [&](std::size_t i) {
            arrived[i] = 1;
            latch.arrive_and_wait();
            for (const int each : arrived)
                early.fetch_add(each == 1 ? 0 : 1);
        });
        EXPECT_EQ(early.load(), 0);
        EXPECT_TRUE(latch.try_wait());
        latch.wait();
    });
}

TEST_P(fiber_synchronisation_on, a_barrier_opens_in_each_round) {
    for_some_thread_counts([] {
        constexpr std::size_t fibers = 10, rounds = 50;
        teff::fiber_barrier barrier(fibers + 1);
        std::vector<std::size_t> round_of(fibers + 1);
        std::atomic<int> apart{0};
        on_fibers_and_a_thread(fibers, [&](std::size_t i) {
            for (std::size_t round = 1; round <= rounds; ++round) {
                round_of[i] = round;
                barrier.arrive_and_wait();
                for (const std::size_t each : round_of)
                    apart.fetch_add(each == round ? 0 : 1);
                barrier.arrive_and_wait();
            }
        });
        EXPECT_EQ(apart.load(), 0);
    });
}

}  // namespace
