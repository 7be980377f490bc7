// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team that a thread keeps for its forks, when the process forks or exits and when the thread ends.
#include <tests/child_process.hpp>

#include <teff/base/backoff.hpp>
#include <teff/fork_join.hpp>
#include <teff/task_group.hpp>

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
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

TEST(fork_join_process, a_child_begins_anew) {
    expect_quiet(run_in_child([] {
        EXPECT_TRUE(adds_up());
        for (int i = 0; i < 10; ++i) {
            EXPECT_TRUE(ended_with(status_of_fork([] { return adds_up() ? 0 : 1; }), 0));
            EXPECT_TRUE(adds_up());
        }
    }));
}

TEST(fork_join_process, a_child_of_a_function_may_exit_or_begin_anew) {
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

// A function that goes on until the other one has begun elsewhere.
template <class Second>
void with_help(Second&& second) {
    std::atomic<bool> begun{false};
    execute({.threads = 2}, [&] {
        fork_join(
            [&] {
                while (!begun)
                    fork_join([] {}, [] {});
            },
            [&] {
                begun = true;
                second();
            });
    });
}

TEST(fork_join_process, a_child_that_waits_for_others_ends_with_a_message) {
    const child_outcome outcome = run_in_child([] {
        std::atomic<bool> begun{false}, over{false};
        execute({.threads = 2}, [&] {
            fork_join(
                [&] {
                    while (!begun)
                        fork_join([] {}, [] {});
                    // The child goes on as a part of this function; what it waits for runs in the parent alone.
                    if (!goes_on_as_child_ending_with(1))
                        over = true;
                },
                [&] {
                    begun = true;
                    while (!over)
                        yield_thread();
                });
        });
    });
    EXPECT_EQ(outcome.code(), 0) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("a task that called fork() went on as a task"), 1U) << outcome.errors;
}

// A task that runs until it is told to end, so that its group has not ended at the fork.
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

TEST(fork_join_process, exit_in_a_function_ends_the_process) {
    expect_quiet(run_in_child([] { fork_join([] { std::exit(7); }, [] {}); }), 7);
    expect_quiet(run_in_child([] { with_help([] { std::exit(7); }); }), 7);
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
