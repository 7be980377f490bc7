// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() in every situation: while the pool is idle, inside a task on the caller's thread and on a worker, and while
// other threads run reductions. The parent's result is unaffected. The child may call exec or _exit or start new
// top-level work; a child that continues as the task is ended with a message.
#include <tests/child_process.hpp>
#include <tests/emulation.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/team/region.hpp>

#include <atomic>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

namespace teff::testing {
namespace {

constexpr std::uint32_t depth = 10;
constexpr std::string_view orphan_message = "a task that called fork() went on as a task in the child process";

class fork_each_scheduler : public each_scheduler {
protected:
    // The exit code of a child of fork(): 0 if new work in it gives the right results.
    int code_of_new_work() const {
        bool right = true;
        for (int i = 0; i < 3; ++i)
            right = counts_right(with_threads(4), depth) && right;
        return right ? 0 : 1;
    }
};

INSTANTIATE_TEST_SUITE_P(, fork_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(fork_each_scheduler, while_the_pool_is_idle) {
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right(with_threads(4), depth));
        for (int i = 0; i < 10; ++i) {
            EXPECT_TRUE(ended_with(status_of_fork([&] { return code_of_new_work(); }), 0));
            EXPECT_TRUE(counts_right(with_threads(4), depth));
        }
    }));
}

TEST_P(fork_each_scheduler, a_child_of_a_child_works_too) {
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right(with_threads(4), depth));
        const int status = status_of_fork([&] {
            const bool right = counts_right(with_threads(4), depth);
            const int inner = status_of_fork([&] { return code_of_new_work(); });
            return right && ended_with(inner, 0) && counts_right(with_threads(4), depth) ? 0 : 1;
        });
        EXPECT_TRUE(ended_with(status, 0));
        EXPECT_TRUE(counts_right(with_threads(4), depth));
    }));
}

// The cases below act inside a task, on a thread of the given kind.
class fork_inside_task : public ::testing::TestWithParam<std::tuple<const char*, thread_kind>> {
protected:
    options call() const { return {.threads = 3, .scheduler = std::get<0>(GetParam())}; }

    // Runs a reduction in which a task calls `act` once; its result must be right.
    template <class Act>
    child_outcome with_task(Act act) {
        return run_in_child([&] {
            EXPECT_TRUE(act_inside_task(call(), std::get<1>(GetParam()), act));
            EXPECT_TRUE(counts_right(call(), depth));
        });
    }
};

INSTANTIATE_TEST_SUITE_P(, fork_inside_task,
    ::testing::Combine(every_scheduler_name(), ::testing::Values(thread_kind::caller, thread_kind::worker)),
    [](const auto& about) {
        const bool on_caller = std::get<1>(about.param) == thread_kind::caller;
        return std::string(std::get<0>(about.param)) + (on_caller ? "_on_the_caller" : "_on_a_worker");
    });

TEST_P(fork_inside_task, the_child_may_exit_at_once) {
    expect_quiet(with_task([] { EXPECT_TRUE(ended_with(status_of_fork([] { return 5; }), 5)); }));
}

TEST_P(fork_inside_task, the_child_may_call_exec) {
    expect_quiet(with_task([] {
        const int status = status_of_fork([] {
            ::execl("/bin/sh", "sh", "-c", "exit 7", nullptr);
            return 1;
        });
        EXPECT_TRUE(ended_with(status, 7));
    }));
}

TEST_P(fork_inside_task, the_child_may_start_new_top_level_work) {
    expect_quiet(with_task([&] {
        const int status = status_of_fork([&] {
            bool right = true;
            for (int i = 0; i < 3; ++i)
                right = counts_right(call(), depth) && right;
            return right ? 0 : 1;
        });
        EXPECT_TRUE(ended_with(status, 0));
    }));
}

TEST_P(fork_inside_task, a_child_that_continues_as_a_task_ends_with_a_message) {
    const child_outcome outcome = with_task([] { goes_on_as_child_ending_with(1); });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
    EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
}

// The member that forks continues in the child, in a region whose other members do not exist there.
TEST(fork_inside_region, a_child_that_continues_as_a_member_ends_with_a_message) {
    struct region_fork {
        static void run(void* argument, unsigned member, unsigned) noexcept {
            if (member == *static_cast<unsigned*>(argument))
                goes_on_as_child_ending_with(1);
        }
    };
    for (unsigned member = 0; member < 3; ++member) {
        SCOPED_TRACE(member);
        const child_outcome outcome = run_in_child([&] {
            EXPECT_EQ(run_region(3, region_fork::run, &member), 3U);
            EXPECT_TRUE(counts_right({.threads = 3}, depth));
        });
        EXPECT_EQ(outcome.code(), 0) << outcome.errors;
        EXPECT_EQ(outcome.lines_with(orphan_message), 1U) << outcome.errors;
    }
}

// Uses several processes, since each of them has its own time limit.
TEST_P(fork_each_scheduler, while_other_threads_run_reductions) {
    if (!can_fork_beside_busy_threads)
        GTEST_SKIP() << "the child of this tool may wait for ever for a lock of the tool";
    constexpr int processes = 4, forks = 25;
    for (int process = 0; process < processes; ++process) {
        SCOPED_TRACE(process);
        expect_quiet(run_in_child([&] {
            // ThreadSanitizer's pthread_once does not handle fork(): if a thread of the parent was inside one, the
            // child waits for it for ever. The pthread_once of glibc starts again in the child. So the work below
            // must be done once before the forks.
            if (conformance::sanitized) {
                EXPECT_TRUE(counts_right(with_threads(3), depth));
            }
            std::atomic<bool> over{false};
            std::atomic<long> wrong{0};
            std::vector<std::thread> others;
            for (int i = 0; i < 3; ++i)
                others.emplace_back([&] {
                    while (!over)
                        wrong += !counts_right(with_threads(3), depth);
                });
            for (int i = 0; i < forks; ++i)
                EXPECT_TRUE(ended_with(status_of_fork([&] { return code_of_new_work(); }), 0)) << i;
            over = true;
            for (std::thread& each : others)
                each.join();
            EXPECT_EQ(wrong, 0);
        }));
    }
}

}  // namespace
}  // namespace teff::testing
