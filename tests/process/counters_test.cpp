// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counters of workers agree with the tasks that were run, on every scheduler, and nothing is counted while
// counters are off.
#include <tests/reduction_samples.hpp>

#include <teff/base/backoff.hpp>
#include <teff/counters.hpp>
#include <teff/fork_join.hpp>
#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace teff::testing {
namespace {

worker_counters sum_of_workers() {
    worker_counters sum;
    for (unsigned worker = 0; worker < counted_workers(); ++worker)
        sum += counters_of_worker(worker);
    return sum;
}

long fib(int n) {
    if (n < 2)
        return n;
    const auto [one, two] = fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return one + two;
}
constexpr std::uint64_t forks_of_fib(int n) { return n < 2 ? 0 : 1 + forks_of_fib(n - 1) + forks_of_fib(n - 2); }

class counters_each_scheduler : public each_scheduler {
protected:
    // Checks the sums after `count` forks or tasks of groups, when all threads that worked have handed in their
    // counts.
    void expect_sums_of(std::uint64_t count) const {
        const worker_counters sum = sum_of_workers();
        EXPECT_EQ(sum.pushed, sum.run);
        EXPECT_LE(sum.steals_won, sum.steals_tried);
        // Schedulers that share tasks on request get few of them, as most are plain. The others get all.
        if (find_scheduler(GetParam())->on_request)
            EXPECT_LE(sum.pushed + sum.run_at_once, count);
        else
            EXPECT_EQ(sum.pushed + sum.run_at_once, count);
    }
};

INSTANTIATE_TEST_SUITE_P(, counters_each_scheduler, every_scheduler_name(), scheduler_case_name);

// Every test runs in a process of its own, so the option is read only after it is set here.
TEST_P(counters_each_scheduler, every_task_was_pushed_or_run_at_once) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    constexpr std::uint32_t depth = 12;
    constexpr auto tasks = static_cast<std::uint64_t>(tasks_of_tree(depth));
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        reset_counters();
        EXPECT_TRUE(counts_right(with_threads(threads), depth));
        const worker_counters sum = sum_of_workers();
        EXPECT_EQ(sum.run + sum.run_at_once, tasks);
        EXPECT_EQ(sum.pushed, sum.run);
        EXPECT_LE(sum.steals_won, sum.steals_tried);
        EXPECT_LE(sum.combining_rounds, sum.combined);
        if (threads == 1 || std::string_view(GetParam()) != "ompi") {
            EXPECT_EQ(sum.combined, 0U);
        }
        if (threads == 1) {
            EXPECT_EQ(counters_of_worker(0).run, sum.run);
        }
    }
}

TEST_P(counters_each_scheduler, every_fork_that_was_pushed_was_taken) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        reset_counters();
        EXPECT_EQ(execute(with_threads(threads), [] { return fib(16); }), 987);
        expect_sums_of(forks_of_fib(16));
        if (threads != 1) {
            EXPECT_NE(sum_of_workers().pushed, 0U);
        }
    }
}

TEST_P(counters_each_scheduler, every_task_of_a_group_that_was_pushed_was_taken) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    constexpr int tasks = 1000;
    for (const long threads : {1L, 2L, 5L}) {
        SCOPED_TRACE(threads);
        reset_counters();
        std::atomic<int> called{0};
        execute(with_threads(threads), [&] {
            task_group group;
            for (int i = 0; i < tasks; ++i)
                group.run([&] { ++called; });
            group.wait();
        });
        EXPECT_EQ(called, tasks);
        expect_sums_of(tasks);
    }
}

TEST_P(counters_each_scheduler, what_an_exception_drops_was_taken) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    for (int i = 0; i < 100; ++i) {
        reset_counters();
        const auto throws = [] {
            fork_join(
                [] {
                    fib(10);
                    throw std::runtime_error("one");
                },
                [] { fib(10); });
        };
        EXPECT_THROW(execute(with_threads(3), throws), std::runtime_error);
        EXPECT_EQ(sum_of_workers().pushed, sum_of_workers().run);
    }
}

TEST_P(counters_each_scheduler, every_piece_of_a_loop_that_was_pushed_was_taken) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    std::atomic<int> called{0};
    execute(with_threads(3), [&] { parallel_for(0, 1000, [&](int) { ++called; }); });
    EXPECT_EQ(called, 1000);
    EXPECT_EQ(sum_of_workers().pushed, sum_of_workers().run);
}

// Outside of execute(): the counts of the caller are visible when its outermost call returns.
TEST_P(counters_each_scheduler, a_thread_s_own_team_hands_in_at_the_outermost_join) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    ::setenv("TEFF_SCHEDULER", GetParam(), 1);
    ::setenv("TEFF_NUM_THREADS", "1", 1);
    EXPECT_EQ(fib(16), 987);
    expect_sums_of(forks_of_fib(16));
}

TEST_P(counters_each_scheduler, a_thread_s_own_team_hands_in_at_its_wait) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    ::setenv("TEFF_SCHEDULER", GetParam(), 1);
    ::setenv("TEFF_NUM_THREADS", "3", 1);
    task_group group;
    group.run([] {});
    group.wait();
    EXPECT_EQ(counters_of_worker(0).pushed, 1U);
}

TEST_P(counters_each_scheduler, a_thread_s_own_team_hands_in_when_the_thread_ends) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    ::setenv("TEFF_SCHEDULER", GetParam(), 1);
    ::setenv("TEFF_NUM_THREADS", "3", 1);
    std::thread([] { EXPECT_EQ(fib(16), 987); }).join();
    expect_sums_of(forks_of_fib(16));
}

TEST_P(counters_each_scheduler, nothing_is_counted_while_they_are_off) {
    ::setenv("TEFF_COUNTERS", "off", 1);
    EXPECT_TRUE(counts_right(with_threads(3), 10));
    EXPECT_EQ(execute(with_threads(3), [] { return fib(10); }), 55);
    EXPECT_EQ(counted_workers(), 0U);
}

// Whether two threads ever want tasks of one queue at the same moment is chance, so this tries until they have.
TEST(counters, dequeues_for_others_are_counted) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    ::setenv("TEFF_OMPI_QUEUE_SIZE", "1000", 1);
    const options two_on_ompi{.threads = 2, .scheduler = "ompi"};
    const auto until_combined = [](auto&& work) {
        reset_counters();
        for (int attempt = 0; attempt < 10'000 && sum_of_workers().combined == 0; ++attempt)
            work();
        return sum_of_workers().combined;
    };
    const std::uint64_t in_reductions = until_combined([&] { EXPECT_TRUE(counts_right(two_on_ompi, 10)); });
    const std::uint64_t in_groups = until_combined([&] {
        execute(two_on_ompi, [] {
            task_group group;
            for (int task = 0; task < 900; ++task)
                group.run([] {});
            group.wait();
        });
    });
    if (in_reductions == 0 || in_groups == 0)
        GTEST_SKIP() << "the two threads never met";
}

// Many thieves that take one task at a time from one queue. Whether one ever loses an attempt is chance.
TEST(counters, thefts_that_are_lost_to_another_thread) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    ::setenv("TEFF_BLAZE_STEAL", "one", 1);
    std::uint64_t contended = 0;
    for (int attempt = 0; attempt < 1'000 && contended == 0; ++attempt) {
        EXPECT_TRUE(counts_right({.threads = 5, .scheduler = "blaze"}, 12));
        contended = sum_of_workers().steals_contended;
    }
    // No scheduler counts them whose thieves do not compete.
    reset_counters();
    EXPECT_TRUE(counts_right({.threads = 5, .scheduler = "xqueue_wait"}, 12));
    EXPECT_EQ(sum_of_workers().steals_contended, 0U);
    if (contended == 0)
        GTEST_SKIP() << "no attempt was lost";
}

TEST(counters, a_fork_that_another_thread_runs_is_its_own) {
    ::setenv("TEFF_COUNTERS", "on", 1);
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<bool> is_elsewhere{false};
    const auto go_elsewhere = [&] {
        is_elsewhere = is_elsewhere || std::this_thread::get_id() != caller;
        yield_thread();
    };
    execute({.threads = 2, .scheduler = "demand"}, [&] {
        while (!is_elsewhere)
            fork_join([&] { fork_join(go_elsewhere, go_elsewhere); }, go_elsewhere);
    });
    worker_counters of_others = sum_of_workers();
    EXPECT_GE(of_others.steals_won, 1U);
    EXPECT_GE(of_others.idle_ns, 1U);
    EXPECT_GE(of_others.run - counters_of_worker(0).run, 1U);
    EXPECT_GE(counters_of_worker(0).pushed, 1U);
}

}  // namespace
}  // namespace teff::testing
