// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On every scheduler: fibers that sleep.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace conformance;
using namespace std::chrono_literals;

class task_control_on : public each_choice {};

INSTANTIATE_TEST_SUITE_P(, task_control_on, testing::ValuesIn(all_rows()), row_names());

TEST_P(task_control_on, a_sleep_lasts_long_enough) {
    for_some_thread_counts([] {
        std::atomic<int> early{0};
        const auto sleep = [&early](std::chrono::microseconds time) {
            const auto until = std::chrono::steady_clock::now() + time;
            teff::this_fiber::sleep_for(time);
            early.fetch_add(std::chrono::steady_clock::now() < until ? 1 : 0);
            teff::this_fiber::sleep_until(until + time);
            early.fetch_add(std::chrono::steady_clock::now() < until + time ? 1 : 0);
            const auto day = std::chrono::system_clock::now() + time;
            teff::this_fiber::sleep_until(day);
            early.fetch_add(std::chrono::system_clock::now() < day ? 1 : 0);
        };
        // In no order, and on threads that are no fibers.
        std::thread outside([&] { sleep(700us); });
        teff::coforall(0, 100, [&](int i) { sleep(std::chrono::microseconds(i * 37 % 100 * 20)); });
        sleep(300us);
        outside.join();
        EXPECT_EQ(early.load(), 0);
    });
}

TEST_P(task_control_on, nothing_sleeps_until_the_past) {
    for_some_thread_counts([] {
        teff::fiber other([] {
            teff::this_fiber::sleep_for(-1h);
            teff::this_fiber::sleep_for(std::chrono::duration<double>(0));
            teff::this_fiber::sleep_until(std::chrono::system_clock::time_point::min());
        });
        other.join();
    });
}

// With one thread, `flag` is set only while the first fiber sleeps.
TEST_P(task_control_on, a_sleeping_fiber_keeps_no_worker) {
    for_some_thread_counts([] {
        std::atomic<bool> flag{false};
        teff::fiber first([&] {
            while (!flag.load())
                teff::this_fiber::sleep_for(100us);
        });
        teff::fiber second([&] { flag.store(true); });
        first.join();
        second.join();
        EXPECT_TRUE(flag.load());
    });
}

}  // namespace
