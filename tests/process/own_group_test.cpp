// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task that waits for its own group: the program ends at once with one message, in every build, instead of hanging.
#include <tests/child_process.hpp>

#include <teff/coroutine.hpp>
#include <teff/fork_join.hpp>
#include <teff/spawn.hpp>
#include <teff/task_group.hpp>

#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <string_view>
#include <thread>

namespace teff::testing {
namespace {

constexpr std::string_view message = "teff: task_group: a task waits for the group that it belongs to, and so for "
                                     "itself";

template <class Body>
void expect_message(long threads, std::string_view text, Body&& body) {
    const child_outcome outcome = run_in_child([&] { execute({.threads = threads}, body); });
    EXPECT_TRUE(WIFSIGNALED(outcome.status) && WTERMSIG(outcome.status) == SIGABRT) << outcome.status;
    EXPECT_EQ(outcome.lines_with(text), 1U) << outcome.errors;
    EXPECT_EQ(outcome.lines_with("teff:"), 1U) << outcome.errors;
}

TEST(own_group, may_not_be_waited_for_by_its_task) {
    for (const long threads : {1L, 2L, 4L})
        expect_message(threads, message, [] {
            task_group group;
            group.run([&] { group.wait(); });
            group.wait();
        });
}

TEST(own_group, may_not_be_destroyed_by_its_task) {
    for (const long threads : {1L, 2L})
        expect_message(threads, message, [] {
            auto* const group = new task_group;
            group->run([group] { delete group; });
            group->wait();
        });
}

TEST(own_group, may_not_be_waited_for_in_a_fork_of_its_task) {
    for (const long threads : {1L, 2L, 4L}) {
        expect_message(threads, message, [] {
            task_group group;
            group.run([&] { fork_join([&] { group.wait(); }, [] {}); });
            group.wait();
        });
        // The second function may run on another thread.
        expect_message(threads, message, [] {
            task_group group;
            group.run([&] { fork_join([] {}, [&] { group.wait(); }); });
            group.wait();
        });
    }
}

TEST(own_group, may_not_be_waited_for_in_another_team_or_by_run_and_wait) {
    expect_message(2, message, [] {
        task_group group;
        group.run([&] { execute({.threads = 2}, [&] { group.wait(); }); });
        group.wait();
    });
    expect_message(2, message, [] {
        task_group group;
        group.run_and_wait([&] { group.wait(); });
    });
}

TEST(own_group, may_not_be_waited_for_in_a_nested_group) {
    expect_message(1, message, [] {
        task_group group;
        group.run([&] {
            task_group inner;
            inner.run([&] { group.wait(); });
            inner.wait();
        });
        group.wait();
    });
}

TEST(own_handle, may_not_be_waited_for) {
    expect_message(2, message, [] {
        handle<void> made;
        std::atomic<bool> is_made{false};
        made = spawn([&] {
            while (!is_made)
                std::this_thread::yield();
            made.wait();
        });
        is_made = true;
        made.wait();
    });
}

// The task of `second` waits for `first`, on top of a task of `first` that waits for it.
TEST(own_group, may_not_be_waited_for_on_top_of_its_task) {
    expect_message(2, "teff: task_group: a task waits for the group of another task, on top of which it runs", [] {
        // Keeps the worker, so that one thread runs all tasks below.
        task_group busy, first, second;
        std::atomic<int> begun{0};
        busy.run([&] {
            ++begun;
            for (;;)
                std::this_thread::yield();
        });
        while (begun != 1)
            std::this_thread::yield();
        second.run([&] { first.wait(); });
        first.run([&] { second.wait(); });
        first.wait();
    });
}

// Groups that look alike, and are waited for by other tasks than their own.
TEST(other_groups, may_be_waited_for_by_tasks) {
    for (const long threads : {1L, 2L, 4L})
        expect_quiet(run_in_child([&] {
            execute({.threads = threads}, [] {
                std::atomic<int> calls{0};
                for (int round = 0; round < 200; ++round) {
                    task_group outer;
                    for (int each = 0; each < 4; ++each)
                        outer.run([&] {
                            task_group inner;
                            auto on_heap = std::make_unique<task_group>();
                            inner.run([&] { fork_join([&] { ++calls; }, [&] { ++calls; }); });
                            on_heap->run([&] { inner.run([&] { ++calls; }); });
                            on_heap->wait();
                            inner.wait();
                            outer.run([&] { ++calls; });
                        });
                    outer.wait();
                }
                EXPECT_EQ(calls, 200 * 4 * 4);
            });
        }));
}

}  // namespace
}  // namespace teff::testing
