// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team that a thread keeps for its forks (of fork_join): the process calls fork() or exit(), or the thread ends.
#include <tests/child_process.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/fork_join.hpp>
#include <teff/frontends/fork_join/crew.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>
#include <teff/task_group.hpp>
#include <teff/team/task_team.hpp>
#include <teff/team/team_options.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>
#include <thread>

namespace teff::testing {
namespace {

long fib(int n) {
    if (n < 2)
        return n;
    const auto [one, two] = fork_join([n] { return fib(n - 1); }, [n] { return fib(n - 2); });
    return one + two;
}
bool adds_up() { return fib(16) == 987; }

TEST(fork_join_process, a_forked_child_can_fork_join) {
    expect_quiet(run_in_child([] {
        EXPECT_TRUE(adds_up());
        for (int i = 0; i < 10; ++i) {
            EXPECT_TRUE(ended_with(status_of_fork([] { return adds_up() ? 0 : 1; }), 0));
            EXPECT_TRUE(adds_up());
        }
    }));
}

TEST(fork_join_process, a_child_forked_in_a_function_may_exit_or_start_new_work) {
    expect_quiet(run_in_child([] {
        fork_join(
            [] {
                EXPECT_TRUE(ended_with(status_of_fork([] { return 5; }), 5));
                const auto anew = [] { return execute({.threads = 3}, adds_up) ? 0 : 1; };
                EXPECT_TRUE(ended_with(status_of_fork(anew), 0));
            },
            [] { EXPECT_TRUE(adds_up()); });
    }));
}

// New work in the child after fork(). The child is inside functions that its parent has begun.
bool new_work_is_right() {
    std::atomic<int> called{0};
    task_group group;
    for (int i = 0; i < 100; ++i)
        group.run([&] { ++called; });
    group.wait();
    return adds_up() && called == 100 && execute({.threads = 3}, adds_up);
}

class alone_with_each_scheduler : public each_scheduler {
protected:
    // Runs `body`, and then new work, in a process without workers. `body` calls fork(), continues in both processes,
    // and returns whether all results were right.
    void expect_both_go_on(bool (*body)(bool& is_child)) const {
        expect_quiet(run_in_child([&] {
            ::setenv("TEFF_SCHEDULER", GetParam(), 1);
            ::setenv("TEFF_NUM_THREADS", "1", 1);
            bool is_child = false;
            EXPECT_TRUE(body(is_child));
            EXPECT_TRUE(new_work_is_right());
            if (is_child)
                ::_exit(HasFailure() ? failed_expectation : 7);
        }));
    }
};

INSTANTIATE_TEST_SUITE_P(, alone_with_each_scheduler, every_scheduler_name(), scheduler_case_name);

// With schedulers other than demand, the second functions are in the queues by the time of the fork().
TEST_P(alone_with_each_scheduler, a_child_runs_what_has_not_begun) {
    expect_both_go_on([](bool& is_child) {
        int called = 0;
        bool right = true;
        fork_join(
            [&] {
                fork_join(
                    [&] {
                        is_child = goes_on_as_child_ending_with(7);
                        right = new_work_is_right();
                    },
                    [&] { ++called; });
                right = new_work_is_right() && right;
            },
            [&] { ++called; });
        return right && called == 2;
    });
}

// If the scheduler takes the oldest task first, the inner wait runs the outer second function, which is older.
TEST_P(alone_with_each_scheduler, a_child_continues_inside_a_wait) {
    expect_both_go_on([](bool& is_child) {
        int called = 0;
        bool right = true;
        fork_join([&] { fork_join([] {}, [&] { ++called; }); },
                  [&] {
                      is_child = goes_on_as_child_ending_with(7);
                      right = new_work_is_right();
                      ++called;
                  });
        return right && called == 2;
    });
}

TEST_P(alone_with_each_scheduler, a_child_drops_what_has_not_begun) {
    expect_both_go_on([](bool& is_child) {
        const auto dropped = [] { ADD_FAILURE(); };
        try {
            fork_join(
                [&] {
                    is_child = goes_on_as_child_ending_with(7);
                    throw 5;
                },
                dropped);
        } catch (int thrown) {
            return thrown == 5;
        }
        return false;
    });
}

// Calls the first function when the second one already runs on another thread.
template <class First, class Second>
void beside_each_other(First&& first, Second&& second) {
    std::atomic<bool> begun{false};
    fork_join(
        [&] {
            while (!begun)
                fork_join([] {}, [] {});
            first();
        },
        [&] {
            begun = true;
            second();
        });
}

// Calls `first` while another thread runs the second function of the same fork. If `first` calls fork(), the child
// continues inside `first`. Its join then waits for the second function, which runs in the parent only.
template <class First>
void beside_a_busy_thread(First&& first) {
    std::atomic<bool> over{false};
    beside_each_other(
        [&] {
            first();
            over = true;
        },
        [&] {
            while (!over)
                yield_thread();
        });
}

TEST(fork_join_process, a_child_that_waits_for_lost_threads_ends_with_a_message) {
    const child_outcome outcome = run_in_child([] {
        execute({.threads = 2}, [] { beside_a_busy_thread([] { goes_on_as_child_ending_with(1); }); });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("a task that called fork() went on as a task"), 1U) << outcome.errors;
}

// It is on its own inside of a loop that its parent has begun to divide among the members.
TEST(fork_join_process, a_child_gives_no_jobs_to_other_members) {
    expect_quiet(run_in_child([] {
        execute({.threads = 2}, [] {
            const forking::crew one = forking::others(1);
            const auto gives_none = [&] {
                const auto never = [](const forking::crew&) noexcept { ADD_FAILURE(); };
                return forking::others(1).is_empty() && forking::those_after_me(0, 2).is_empty() &&
                       !forking::fork_to_any(one, never, [] {});
            };
            EXPECT_TRUE(ended_with(status_of_fork([&] { return gives_none() ? 7 : 1; }), 7));
        });
    }));
}

// Below that point the forks of the parts go on on another stack. The team has no worker, so the mailbox is the test's.
[[gnu::noinline]] void call_where_stack_is_used_up(const std::function<void()>& function) {
    std::array<volatile char, 1024> used{};
    if (has_stack())
        call_where_stack_is_used_up(function);
    else
        function();
    used[0] = 1;
}
TEST(fork_join_process, no_job_is_given_where_the_stack_is_used_up) {
    expect_quiet(run_in_child([] {
        team_options how;
        how.settings.slots = 2;
        how.scheduler = "demand";
        task_team* const team = make_task_team(how, {});
        team->enter_as_caller();
        const forking::crew one = forking::others(1);
        (*team->mailboxes())[1].open();
        int called = 0;
        const auto gives = [&] { return forking::fork_to_any(one, [&](const auto&) { ++called; }, [&] { ++called; }); };
        call_where_stack_is_used_up([&] { EXPECT_FALSE(gives() || called != 0); });
        EXPECT_TRUE(gives() && called == 2);
        team->leave_as_caller();
        destroy(team);
    }));
}

TEST(fork_join_process, what_a_child_forks_inside_of_a_function_is_right_before_the_message) {
    const child_outcome outcome = run_in_child([] {
        ::setenv("TEFF_NUM_THREADS", "2", 1);
        beside_a_busy_thread([] {
            if (goes_on_as_child_ending_with(1) && new_work_is_right())
                std::fputs("right\n", stderr);
        });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("right"), 1U) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("a task that called fork() went on as a task"), 1U) << outcome.errors;
}

// The task of the group runs until it is told to end, so the group is not finished at the fork().
TEST(fork_join_process, a_child_that_waits_for_a_group_of_its_parent_s_ends_with_a_message) {
    const child_outcome outcome = run_in_child([] {
        execute({.threads = 2}, [] {
            std::atomic<bool> begun{false}, over{false};
            task_group group;
            group.run([&] {
                begun = true;
                while (!over)
                    yield_thread();
            });
            while (!begun)
                yield_thread();
            EXPECT_TRUE(ended_with(status_of_fork([&] {
                                       task_group anew;
                                       std::atomic<int> called{0};
                                       execute({.threads = 2}, [&] {
                                           for (int i = 0; i < 100; ++i)
                                               anew.run([&] { ++called; });
                                           anew.wait();
                                       });
                                       if (called != 100)
                                           return 2;
                                       group.wait();
                                       return 0;
                                   }),
                                   1));
            over = true;
            group.wait();
        });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("a task that called fork() went on as a task"), 1U) << outcome.errors;
}

TEST(fork_join_process, a_thread_that_ends_runs_what_it_has_handed_over) {
    expect_quiet(run_in_child([] {
        for (int i = 0; i < 50; ++i) {
            std::atomic<int> called{0};
            task_group group;
            std::thread([&] {
                for (int j = 0; j < 20; ++j)
                    group.run([&] { ++called; });
            }).join();
            EXPECT_EQ(called, 20);
            group.wait();
        }
    }));
}

// Measuring the stack is slow, while calls of execute() are fast.
TEST(fork_join_process, a_thread_measures_its_stack_once) {
    expect_quiet(run_in_child([] {
        const auto limit_inside = [] {
            return execute({.threads = 2}, [] {
                fork_join([] {}, [] {});
                return running_strand().stack->limit;
            });
        };
        const std::uintptr_t measured = limit_inside();
        EXPECT_EQ(running_thread.stack.limit, measured);
        // A mark: it would be overwritten if the stack were measured again.
        running_thread.stack.limit = measured + 1;
        EXPECT_EQ(limit_inside(), measured + 1);
    }));
}

// The default size that a program chooses for its own threads may be too small for forks.
TEST(fork_join_process, workers_have_stacks_of_a_least_size) {
    expect_quiet(run_in_child([] {
        pthread_attr_t attributes;
        ASSERT_EQ(::pthread_attr_init(&attributes), 0);
        const std::size_t small = std::max(least_stack() / 2, static_cast<std::size_t>(PTHREAD_STACK_MIN));
        ASSERT_EQ(::pthread_attr_setstacksize(&attributes, small), 0);
        ASSERT_EQ(::pthread_setattr_default_np(&attributes), 0);
        std::atomic<std::size_t> size{0};
        execute({.threads = 2}, [&] {
            task_group group;
            while (size == 0)
                group.run([&size, maker = ::pthread_self()] {
                    if (::pthread_equal(::pthread_self(), maker) == 0)
                        size = measured_stack().high - measured_stack().low;
                });
            group.wait();
        });
        EXPECT_GE(size.load(), std::size_t{1} << 20);
        EXPECT_TRUE(adds_up());
    }));
}

TEST(fork_join_process, exit_in_a_function_ends_the_process) {
    expect_quiet(run_in_child([] { fork_join([] { std::exit(7); }, [] {}); }), 7);
    const auto by_helper = [] { beside_each_other([] {}, [] { std::exit(7); }); };
    expect_quiet(run_in_child([&] { execute({.threads = 2}, by_helper); }), 7);
    expect_quiet(run_in_child([] { std::exit(adds_up() ? 7 : 1); }), 7);
}

TEST(fork_join_process, threads_that_have_forked_may_end) {
    expect_quiet(run_in_child([] {
        for (int i = 0; i < 200; ++i)
            std::thread([] { EXPECT_TRUE(adds_up()); }).join();
        EXPECT_TRUE(adds_up());
    }));
}

}  // namespace
}  // namespace teff::testing
