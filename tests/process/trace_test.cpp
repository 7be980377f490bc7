// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The events of the trace: which slices there are, that they lie inside each other, and what happens without room, at
// an exit inside a task, on fibers that move, and when a signal ends the program.
#include <tests/child_process.hpp>
#include <tests/process/trace_text.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/label.hpp>
#include <teff/task_group.hpp>
#include <teff/team/region.hpp>
#include <teff/threads.hpp>
#include <teff/timeline.hpp>

#include <csignal>
#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>

namespace teff::testing {
namespace {

constexpr long plenty = 100'000;

// With this scheduler each task of a group is queued.
const options queues_all{.threads = 2, .scheduler = "fifo"};

void run_tasks(int count) {
    execute(queues_all, [count] {
        task_group group;
        for (int i = 0; i < count; ++i)
            group.run([] { const label inside("in a task"); });
        group.wait();
    });
}

void exit_with_expectations() { std::exit(::testing::Test::HasFailure() ? failed_expectation : 0); }

TEST(trace, has_a_slice_for_each_queued_task_and_label) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([] {
        run_tasks(20);
        std::exit(0);
    }));
    const std::string text = file.text();
    ASSERT_TRUE(is_complete(text)) << text;
    const auto slices = slices_of(text);
    EXPECT_EQ(count_of(slices, "task"), 20) << text;
    EXPECT_EQ(count_of(slices, "label"), 20) << text;
    EXPECT_EQ(count_of(slices, "call"), 1) << text;
    EXPECT_EQ(overlapping(slices), "") << text;
    for (const written_slice& each : slices) {
        if (each.category == "task") {
            // The test may have been stripped, and an archive of the library is tested, too.
            EXPECT_TRUE(has(each.name, "run_tasks") || has(each.name, "+0x")) << each.name;
        } else if (each.category == "label") {
            EXPECT_EQ(each.name, "in a task");
        }
    }
    EXPECT_TRUE(has(text, "\"dropped_events\":0}"));
    EXPECT_TRUE(has(text, "\"name\":\"running threads\""));
}

TEST(trace, labels_cannot_leave_their_strings) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([] {
        execute(queues_all, [] {
            const label markup("<!-- <script>");
            const label quotes("a\"b\\c\n\x1b");
            const label bytes("\xff\xc3");
        });
        std::exit(0);
    }));
    const std::string text = file.text();
    for (const char* name : {"\\u003c!-- \\u003cscript>", "a\\\"b\\\\c\\u000a\\u001b", "\uFFFD\uFFFD"})
        EXPECT_TRUE(has(text, ",\"name\":\"" + std::string(name) + "\"}")) << text;
}

class trace_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, trace_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(trace_each_scheduler, slices_of_all_kinds_lie_inside_each_other) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right(with_threads(2), 10));
        execute(with_threads(2), [] {
            const label around("all");
            task_group group;
            for (int i = 0; i < 100; ++i)
                group.run([] { fork_join([] { const label one("one"); }, [] { const label two("two"); }); });
            fiber waits([] {
                const label mine("of a fiber");
                fork_join([] { this_fiber::yield(); }, [] { this_fiber::yield(); });
            });
            group.wait();
            waits.join();
        });
        run_region(2, [](void*, unsigned, unsigned) noexcept { wait_at_barrier(); }, nullptr);
        exit_with_expectations();
    }));
    const std::string text = file.text();
    ASSERT_TRUE(is_complete(text)) << text;
    const auto slices = slices_of(text);
    EXPECT_EQ(overlapping(slices), "") << text;
    EXPECT_GE(count_of(slices, "reduction"), 1) << text;
    EXPECT_EQ(count_of(slices, "region"), 2) << text;
    // The fiber, at least.
    EXPECT_GE(count_of(slices, "task"), 1) << text;
    EXPECT_EQ(slices_of(text, "b").size(), slices_of(text, "e").size());
    EXPECT_EQ(count_of(slices, "label") + count_of(slices_of(text, "e"), "label"), 202) << text;
}

TEST(trace, events_beyond_the_room_are_counted) {
    const timeline_file file(7);
    expect_quiet(run_in_child([] {
        // Each has a label, if it is run at once, too.
        run_tasks(100);
        std::exit(0);
    }));
    const std::string text = file.text();
    ASSERT_TRUE(is_complete(text)) << text;
    EXPECT_TRUE(has(text, "\"events\":7,")) << text;
    const std::string head = text.substr(0, text.find("\"teff\":"));
    EXPECT_GE(std::stol(member(head, "dropped_events")), 93) << head;
    EXPECT_EQ(overlapping(slices_of(text)), "") << text;
    // What the threads do is known without events.
    EXPECT_TRUE(has(text, "\"name\":\"work\"}")) << text;
}

TEST(trace, slices_that_are_open_at_the_exit_end_there) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([] {
        execute(queues_all, [] {
            task_group group;
            group.run([] {
                const label inside("ends the process");
                std::exit(5);
            });
            group.wait();
        });
    }), 5);
    const std::string text = file.text();
    const auto slices = slices_of(text);
    EXPECT_EQ(count_of(slices, "task"), 1) << text;
    EXPECT_EQ(count_of(slices, "label"), 1) << text;
    EXPECT_EQ(count_of(slices, "call"), 1) << text;
    EXPECT_EQ(overlapping(slices), "") << text;
}

TEST(trace, a_restart_forgets_events_and_gives_room_again) {
    const timeline_file file(50);
    expect_quiet(run_in_child([&] {
        run_tasks(100);
        restart_timeline();
        run_tasks(3);
        EXPECT_TRUE(write_timeline());
        const std::string text = file.text();
        EXPECT_EQ(count_of(slices_of(text), "task"), 3) << text;
        EXPECT_TRUE(has(text, "\"dropped_events\":0}")) << text;
    }));
}

TEST(trace, a_label_may_come_first_and_lasts_without_a_trace) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([] {
        { const label first("first use"); }
        std::exit(0);
    }));
    EXPECT_EQ(count_of(slices_of(file.text()), "label"), 1) << file.text();
    ::unsetenv("TEFF_TRACE");
    expect_quiet(run_in_child([] {
        const label none("nobody records it");
        run_tasks(1);
    }));
}

TEST(trace, a_label_of_a_fiber_that_is_left_has_a_line_of_its_own) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([] {
        fiber one([] {
            const label mine("left");
            this_fiber::yield();
        });
        fiber other([] { this_fiber::yield(); });
        one.join();
        other.join();
        std::exit(0);
    }));
    const std::string text = file.text();
    const auto ends = slices_of(text, "e");
    ASSERT_EQ(ends.size(), 1U) << text;
    EXPECT_EQ(ends[0].name, "left");
    EXPECT_GE(count_of(slices_of(text), "task"), 2) << text;
    EXPECT_EQ(overlapping(slices_of(text)), "") << text;
}

TEST(trace, the_child_of_a_fork_inside_a_slice_leaves_it) {
    const timeline_file file(plenty);
    expect_quiet(run_in_child([&] {
        execute(queues_all, [] {
            const label around("forks");
            EXPECT_EQ(status_of_fork([] {
                const label mine("in the child");
                return write_timeline() ? 1 : 0;
            }), 0);
        });
        exit_with_expectations();
    }));
    EXPECT_FALSE(has(file.text(), "in the child"));
    EXPECT_TRUE(has(file.text(), "\"name\":\"forks\"")) << file.text();
}

// Ends only by the signal.
void interrupt_after_tasks() {
    run_tasks(3);
    ::kill(::getpid(), SIGINT);
    for (;;)
        ::pause();
}

TEST(trace, is_written_before_a_signal_ends_the_program_if_asked) {
    const timeline_file file(plenty);
    const child_outcome plain = run_in_child([] { interrupt_after_tasks(); });
    EXPECT_TRUE(WIFSIGNALED(plain.status) && WTERMSIG(plain.status) == SIGINT) << plain.status;
    EXPECT_EQ(file.text(), "");
    ::setenv("TEFF_TRACE_ON_INTERRUPT", "on", 1);
    const child_outcome asked = run_in_child([] { interrupt_after_tasks(); });
    EXPECT_TRUE(WIFSIGNALED(asked.status) && WTERMSIG(asked.status) == SIGINT) << asked.status;
    EXPECT_TRUE(is_complete(file.text())) << file.text();
    EXPECT_EQ(count_of(slices_of(file.text()), "task"), 3);
    // A handler of the program stays, and so does the effect of the signal in a child.
    expect_quiet(run_in_child([] {
        std::signal(SIGINT, [](int) { ::_exit(7); });
        interrupt_after_tasks();
    }), 7);
    expect_quiet(run_in_child([] {
        run_tasks(1);
        const int status = status_of_fork([]() -> int {
            ::raise(SIGINT);
            return 1;
        });
        EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    }));
    ::unsetenv("TEFF_TRACE_ON_INTERRUPT");
}

}  // namespace
}  // namespace teff::testing
