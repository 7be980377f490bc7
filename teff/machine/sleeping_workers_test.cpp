// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is claimed, and that each worker that was claimed gets its call.
#include <teff/machine/sleeping_workers.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

namespace {

constexpr unsigned workers = 100;
using sleepers = teff::sleeping_workers<int, int, workers>;

unsigned claim(sleepers& all, int call) {
    return all.claim([call](int) { return call; });
}

TEST(sleeping_workers, the_lowest_number_is_claimed_first_and_each_only_once) {
    sleepers all;
    EXPECT_EQ(claim(all, 0), workers);
    for (const unsigned worker : {99U, 64U, 3U})
        all.begin_sleep(worker, 1);
    EXPECT_EQ(claim(all, 0), 3U);
    EXPECT_EQ(claim(all, 0), 64U);
    EXPECT_EQ(claim(all, 0), 99U);
    EXPECT_EQ(claim(all, 0), workers);
}

TEST(sleeping_workers, a_worker_gets_the_call_of_who_claimed_it_and_otherwise_none) {
    sleepers all;
    int calls = 0;
    for (int round = 1; round <= 3; ++round) {
        all.begin_sleep(5, 1234 + round);
        EXPECT_EQ(all.claim([&](int thread) {
            EXPECT_EQ(thread, 1234 + round);
            return round;
        }), 5U);
        all.end_sleep(5, [&](int call) { calls += call; });
        all.begin_sleep(5, 1);
        all.end_sleep(5, [&](int) { ADD_FAILURE() << "nobody has called"; });
        EXPECT_EQ(claim(all, 0), workers);
    }
    EXPECT_EQ(calls, 6);
}

TEST(sleeping_workers, reset_forgets_sleepers_and_calls) {
    sleepers all;
    all.begin_sleep(1, 1);
    all.begin_sleep(2, 1);
    EXPECT_EQ(claim(all, 7), 1U);
    all.reset();
    EXPECT_EQ(claim(all, 7), workers);
    all.begin_sleep(1, 1);
    all.end_sleep(1, [](int) { ADD_FAILURE() << "nobody has called"; });
}

// Each call has a number of its own; none may be lost, or be answered twice.
TEST(sleeping_workers, every_call_is_answered_once) {
    constexpr unsigned threads = 4;
    constexpr int calls = 20'000;
    sleepers all;
    std::vector<std::atomic<int>> answered(calls);
    std::atomic<int> made{0}, got{0};
    std::vector<std::thread> running;
    for (unsigned worker = 0; worker < threads; ++worker)
        running.emplace_back([&, worker] {
            while (got.load() < calls) {
                all.begin_sleep(worker * 30, static_cast<int>(worker));
                std::this_thread::yield();
                all.end_sleep(worker * 30, [&](int call) {
                    ++answered[static_cast<std::size_t>(call)];
                    ++got;
                });
            }
        });
    for (unsigned caller = 0; caller < 2; ++caller)
        running.emplace_back([&] {
            for (;;) {
                const int call = made.fetch_add(1);
                if (call >= calls)
                    return;
                while (claim(all, call) == workers)
                    std::this_thread::yield();
            }
        });
    for (std::thread& each : running)
        each.join();
    for (const auto& times : answered)
        EXPECT_EQ(times.load(), 1);
}

}  // namespace
