// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On every scheduler: fibers that sleep, variables of which each fiber has a copy of its own, and the queries.
#include <tests/conformance/each_choice.hpp>

#include <teff/fork_join.hpp>
#include <teff/threads.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
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

TEST_P(task_control_on, each_fiber_has_its_own_copy) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 50;
        teff::fiber_local<std::string> name("initial");
        teff::fiber_local<std::size_t> steps;
        *name = "outside";
        std::vector<int> right(count);
        teff::coforall(std::size_t{0}, count, [&](std::size_t i) {
            const bool is_new = *name == "initial" && *steps == 0;
            *name = std::to_string(i);
            for (int times = 0; times < 5; ++times) {
                teff::this_fiber::yield();
                ++*steps;
            }
            // Those of the fiber that it waits for are others.
            teff::cobegin([&] { *name += "inner"; });
            right[i] = is_new && *name == std::to_string(i) && *steps == 5 ? 1 : 0;
        });
        EXPECT_EQ(right, std::vector<int>(count, 1));
        EXPECT_EQ(*name, "outside");
        EXPECT_EQ(name->size(), 7U);
    });
}

// The last owner is the variable itself.
TEST_P(task_control_on, copies_end_with_their_fibers) {
    for_some_thread_counts([] {
        const auto token = std::make_shared<int>(0);
        teff::fiber_local<std::shared_ptr<int>> held(token);
        const long before = token.use_count();
        teff::coforall(0, 20, [&](int) {
            EXPECT_NE(*held, nullptr);
            teff::this_fiber::yield();
        });
        EXPECT_EQ(token.use_count(), before);
        std::thread([&] { EXPECT_NE(*held, nullptr); }).join();
        EXPECT_EQ(token.use_count(), before);
    });
}

// A copy's destructor uses another variable.
struct uses_another {
    teff::fiber_local<std::shared_ptr<int>>* other = nullptr;
    uses_another(teff::fiber_local<std::shared_ptr<int>>* used) : other(used) {}
    uses_another(const uses_another&) = default;
    uses_another& operator=(const uses_another&) = delete;
    ~uses_another() { EXPECT_NE(**other, nullptr); }
};

TEST_P(task_control_on, destructors_of_copies_may_make_others) {
    for_some_thread_counts([] {
        const auto token = std::make_shared<int>(0);
        teff::fiber_local<std::shared_ptr<int>> held(token);
        teff::fiber_local<uses_another> user(uses_another{&held});
        const long before = token.use_count();
        teff::fiber other([&] { EXPECT_EQ(user->other, &held); });
        other.join();
        EXPECT_EQ(token.use_count(), before);
    });
}

// Fibers of earlier tests have ended.
TEST_P(task_control_on, counts_say_what_fibers_do) {
    for_some_thread_counts([] {
        constexpr std::size_t count = 30;
        const teff::fiber_counts before = teff::count_fibers();
        EXPECT_EQ(before.fibers, 0U);
        EXPECT_EQ(before.blocked, 0U);
        teff::sync_var<int> go;
        std::size_t arrived = 0;
        teff::fiber_mutex mutex;
        std::vector<teff::fiber> fibers;
        for (std::size_t i = 0; i < count; ++i)
            fibers.emplace_back([&] {
                {
                    const std::lock_guard lock(mutex);
                    ++arrived;
                }
                go.read_ff();
            });
        const auto all_have_arrived = [&] {
            const std::lock_guard lock(mutex);
            return arrived == count;
        };
        while (!all_have_arrived())
            teff::this_fiber::yield();
        // From here on each fiber only goes from running to blocked, and until all are, a query is a hint.
        teff::fiber_counts now;
        do {
            teff::this_fiber::yield();
            now = teff::count_fibers();
            ASSERT_EQ(now.fibers, count);
        } while (now.blocked != count || now.running != 0);
        // A fiber that counts runs itself.
        teff::fiber counts([&] { now = teff::count_fibers(); });
        counts.join();
        EXPECT_EQ(now.fibers, count + 1);
        EXPECT_EQ(now.running, 1U);
        EXPECT_EQ(now.ready, 0U);
        EXPECT_LE(now.idle_workers, now.workers);
        go.write_ef(1);
        for (teff::fiber& each : fibers)
            each.join();
        EXPECT_EQ(teff::count_fibers().fibers, 0U);
        EXPECT_EQ(teff::count_fibers().blocked, 0U);
    });
}

}  // namespace
