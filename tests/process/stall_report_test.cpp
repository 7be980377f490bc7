// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a stall (the option stall_report_s): what waits where for what, when all threads that run tasks have
// waited for so long. It does not end the program, so a child that has stalled is killed when it has said enough. A
// healthy program says nothing, however long its own code takes; it goes on for more than twice the time of a report.
#include <tests/process/child_errors.hpp>

#include <teff/arena.hpp>
#include <teff/fork_join.hpp>
#include <teff/observe/stall_report.hpp>
#include <teff/parallel_for.hpp>
#include <teff/task_group.hpp>
#include <teff/team/region.hpp>
#include <teff/threads.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <string>
#include <string_view>
#include <thread>
#include <unistd.h>

// The user's program. Its functions are in no namespace of the library, and are calls in the compiled program, so that
// a report can name them.
namespace stalled_program {

// Both tasks run at the same time, so that neither runs on top of the other.
std::atomic<int> running{0};
void meet() {
    ++running;
    while (running != 2)
        std::this_thread::yield();
}

[[gnu::noinline]] void wait_for_second(teff::task_group& second) {
    meet();
    second.wait();
    running = 0;
}
// This thread sleeps last. The last sleeper writes the report, when the other ones have noted their calls.
[[gnu::noinline]] void wait_for_first(teff::task_group& first) {
    meet();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    first.wait();
    running = 0;
}
[[gnu::noinline]] void wait_for_value(teff::sync_var<int>& never) {
    never.read_ff();
    running = 0;
}
[[gnu::noinline]] void wait_for_all(teff::task_group& group) {
    group.wait();
    running = 0;
}

}  // namespace stalled_program

namespace teff::testing {
namespace {

// What a child process writes to stderr until it has written this text, or until it ends.
template <class Body>
std::string errors_with(std::string_view last, Body&& body) {
    const auto is_there = [last](const std::string& text) { return text.find(last) != std::string::npos; };
    return errors_until(is_there, [&] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        body();
    });
}

constexpr const char* head =
    "stall: for 1 s no task has run, and every thread that could run one waits; the waits are:";
constexpr const char* last_line = "teff: team: ";

TEST(stall_report, says_which_task_of_which_group_waits_where_for_what) {
    const std::string said = errors_with(last_line, [] {
        execute({.threads = 2}, [] {
            task_group first, second;
            first.run([&] { stalled_program::wait_for_second(second); });
            second.run([&] { stalled_program::wait_for_first(first); });
            stalled_program::wait_for_all(first);
        });
    });
    EXPECT_TRUE(has_line(said, head)) << said;
    EXPECT_TRUE(has_line(said, "  worker 1 \\(thread [0-9]+\\) waits for the task_group 0x[0-9a-f]+ to end")) << said;
    EXPECT_TRUE(has_line(said, "  thread [0-9]+ \\(main\\) waits for the task_group 0x[0-9a-f]+ to end")) << said;
    EXPECT_TRUE(has_line(said, "      in a task of the task_group 0x[0-9a-f]+")) << said;
    EXPECT_TRUE(has_line(said, "      (at|called by) .*stalled_program::wait_for_second.*")) << said;
    EXPECT_TRUE(has_line(said, "      (at|called by) .*stalled_program::wait_for_first.*")) << said;
    EXPECT_TRUE(has_line(said, "      (at|called by) .*stalled_program::wait_for_all.*")) << said;
    EXPECT_TRUE(has_line(said, "pool: 1 workers, .*")) << said;
}

TEST(stall_report, is_of_forks_and_objects_as_well) {
    const std::string said = errors_with(last_line, [] {
        execute({.threads = 2}, [] {
            sync_var<int> never;
            std::atomic<bool> is_taken{false};
            fork_join(
                [&] {
                    while (!is_taken)
                        std::this_thread::yield();
                },
                [&] {
                    is_taken = true;
                    // As in wait_for_first().
                    std::this_thread::sleep_for(std::chrono::milliseconds(500));
                    stalled_program::wait_for_value(never);
                });
        });
    });
    // ThreadSanitizer has a thread of its own, which might end the wait for the variable.
    EXPECT_TRUE(has_line(said, head) || has_line(said, "no task has run for 1 s; unless .*")) << said;
    EXPECT_TRUE(has_line(said, "  thread [0-9]+ \\(main\\) waits for the second function of a fork")) << said;
    EXPECT_TRUE(has_line(said, "  worker 1 \\(thread [0-9]+\\) waits for the sync_var 0x[0-9a-f]+ to be full; made "
                               "at .*"))
        << said;
    EXPECT_TRUE(has_line(said, "      (at|called by) .*stalled_program::wait_for_value.*")) << said;
}

TEST(stall_report, names_the_arena_that_a_call_waits_for) {
    // A first report may come before the other thread sleeps; a later one has the line.
    const std::string said = errors_with("to have room for a call\n", [] {
        arena only({.threads = 1});
        sync_var<int> never;
        only.execute([&] {
            std::thread other([&] { only.execute([] {}); });
            stalled_program::wait_for_value(never);
            other.join();
        });
    });
    EXPECT_TRUE(has_line(said, "  thread [0-9]+ waits for the arena 0x[0-9a-f]+ to have room for a call")) << said;
}

// A report writes nothing while it holds other threads.
TEST(stall_report, may_be_read_by_a_thread_that_waits_here) {
    const child_outcome outcome = run_in_child([] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        constexpr int page = 4096, fibers = 60;
        int ends[2];
        ASSERT_EQ(::pipe(ends), 0);
        ASSERT_GE(::fcntl(ends[1], F_SETPIPE_SZ, page), page);
        const int errors = ::dup(STDERR_FILENO);
        ::dup2(ends[1], STDERR_FILENO);
        sync_var<int> go, never;
        std::thread reader([&] {
            go.read_ff();
            char piece[page];
            while (::read(ends[0], piece, sizeof piece) > 0) {
            }
        });
        // The thread that falls asleep last writes the report. It must not be the reader.
        while (!has_waits())
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        // The runtime does not know this thread.
        std::thread other([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(2'500));
            go.write_ef(1);
        });
        execute({.threads = 1}, [&] {
            coforall(0, fibers, [&](int i) {
                if (i != 0) {
                    never.read_ff();
                } else {
                    go.read_ff();
                    never.write_ef(1);
                }
            });
        });
        other.join();
        // So that the reader comes to the end.
        ::dup2(errors, STDERR_FILENO);
        ::close(ends[1]);
        reader.join();
    });
    expect_quiet(outcome);
}

// The user's own code, which takes longer than two reports.
void take_long() {
    ::pollfd nothing{-1, 0, 0};
    ::poll(&nothing, 1, 2'500);
}

void use_all_workers() {
    parallel_for(0, 1'000, [](int) {});
}

template <class Body>
void expect_nothing_said(Body&& body) {
    expect_quiet(run_in_child([&] {
        ::setenv("TEFF_STALL_REPORT_S", "1", 1);
        body();
    }));
}

// The worker's task is inside the user's code, as in a blocked read().
TEST(healthy_program, may_stay_in_a_task_while_its_other_threads_wait) {
    expect_nothing_said([] {
        execute({.threads = 3}, [] {
            task_group group;
            std::atomic<bool> has_begun{false};
            group.run([&] {
                has_begun = true;
                take_long();
            });
            std::thread other([&] {
                while (!has_begun)
                    std::this_thread::yield();
                group.wait();
            });
            group.wait();
            other.join();
        });
    });
}

TEST(healthy_program, may_be_idle_after_its_tasks) {
    expect_nothing_said([] {
        use_all_workers();
        take_long();
        use_all_workers();
    });
}

TEST(healthy_program, may_leave_a_fiber_waiting_while_main_is_elsewhere) {
    expect_nothing_said([] {
        execute({.threads = 2}, [] {
            sync_var<int> later;
            fiber reader([&later] { later.read_fe(); });
            take_long();
            later.write_ef(1);
            reader.join();
        });
    });
}

TEST(healthy_program, may_let_a_member_of_a_region_take_long) {
    expect_nothing_said([] {
        const auto body = [](void*, unsigned member, unsigned) noexcept {
            if (member == 1)
                take_long();
        };
        EXPECT_EQ(run_region(2, body, nullptr), 2U);
    });
}

// The same with fibers that sleep: the timer will wake them.
TEST(healthy_program, may_let_its_fibers_sleep) {
    expect_nothing_said([] {
        execute({.threads = 2}, [] { fiber([] { this_fiber::sleep_for(std::chrono::milliseconds(2'500)); }).join(); });
    });
}

}  // namespace
}  // namespace teff::testing
