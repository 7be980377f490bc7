// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline: what is in its file, when the file is written and by which process, and what is said if it cannot be.
#include <tests/child_process.hpp>
#include <tests/process/trace_text.hpp>
#include <tests/reduction_samples.hpp>

#include <teff/fork_join.hpp>
#include <teff/task_group.hpp>
#include <teff/team/region.hpp>
#include <teff/timeline.hpp>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <thread>

namespace teff::testing {
namespace {

constexpr std::uint32_t depth = 10;

// Whether the thread of that name has a stretch of the kind.
bool did(const std::string& text, const std::string& thread, const std::string& what) {
    const std::string key = ",\"name\":\"thread_name\",\"args\":{\"name\":\"" + thread + "\"}}";
    for (std::size_t place = text.find(key); place != std::string::npos; place = text.find(key, place + 1)) {
        const std::size_t tid = text.rfind("\"tid\":", place);
        const std::string event = "\"ph\":\"X\",\"pid\":" + std::to_string(std::stoi(text.substr(text.rfind(
                                      "\"pid\":", place) + 6))) + "," + text.substr(tid, place - tid) + ",";
        for (std::size_t found = text.find(event); found != std::string::npos; found = text.find(event, found + 1))
            if (text.substr(found, text.find('}', found) - found).ends_with("\"name\":\"" + what + "\""))
                return true;
    }
    return false;
}

// Enough stretches for a file that is not written at once.
void make_a_long_record(unsigned threads) {
    for (int run = 0; run < 200; ++run)
        EXPECT_TRUE(counts_right({.threads = threads}, 1));
}

class timeline_each_scheduler : public each_scheduler {};

INSTANTIATE_TEST_SUITE_P(, timeline_each_scheduler, every_scheduler_name(), scheduler_case_name);

TEST_P(timeline_each_scheduler, has_the_caller_and_the_workers) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(act_inside_task(with_threads(2), thread_kind::worker, [] {}));
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    const std::string text = file.text();
    EXPECT_TRUE(is_complete(text)) << text;
    EXPECT_TRUE(did(text, "caller", "work")) << text;
    EXPECT_TRUE(did(text, "worker 1", "work")) << text;
    EXPECT_FALSE(did(text, "caller", "pool")) << text;
    EXPECT_TRUE(has(text, "\"merged\":0,")) << text;
}

TEST(timeline, has_forks_groups_and_regions) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        execute({.threads = 2}, [] { fork_join([] {}, [] {}); });
        EXPECT_TRUE(write_timeline());
        EXPECT_TRUE(did(file.text(), "caller", "work"));
        restart_timeline();
        // Each of the two threads waits for the other's part, so the worker works, too.
        const auto body = [](void* argument, unsigned, unsigned) noexcept {
            auto& arrived = *static_cast<std::atomic<int>*>(argument);
            ++arrived;
            while (arrived.load() < 2)
                std::this_thread::yield();
        };
        std::atomic<int> arrived{0};
        EXPECT_EQ(run_region(2, body, &arrived), 2U);
        EXPECT_TRUE(write_timeline());
        EXPECT_TRUE(did(file.text(), "worker 1", "work"));
    }));
}

TEST(timeline, a_restart_forgets_and_a_write_is_the_last) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right({.threads = 1}, depth));
        EXPECT_TRUE(write_timeline());
        EXPECT_TRUE(did(file.text(), "caller", "work"));
        restart_timeline();
        EXPECT_TRUE(write_timeline());
        EXPECT_TRUE(is_complete(file.text()));
        EXPECT_FALSE(did(file.text(), "caller", "work"));
        EXPECT_TRUE(counts_right({.threads = 1}, depth));
        std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
    }));
    EXPECT_FALSE(did(file.text(), "caller", "work"));
}

TEST(timeline, is_off_without_the_option) {
    expect_quiet(run_in_child([] {
        EXPECT_TRUE(counts_right({.threads = 2}, depth));
        restart_timeline();
        EXPECT_FALSE(write_timeline());
    }));
}

TEST(timeline, is_written_when_a_worker_calls_exit_inside_a_task) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        act_inside_task({.threads = 3}, thread_kind::worker, [] { std::exit(5); });
    }), 5);
    EXPECT_TRUE(is_complete(file.text())) << file.text();
    EXPECT_TRUE(did(file.text(), "caller", "work")) << file.text();
}

TEST(timeline, belongs_to_the_parent_of_a_fork) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right({.threads = 2}, depth));
        const pid_t child = ::fork();
        if (child == 0) {
            limit_child();
            has_lost_threads = true;
            const bool right = counts_right({.threads = 2}, depth) && !write_timeline();
            std::exit(right ? 0 : 1);
        }
        int status = -1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
        EXPECT_EQ(file.text(), "");
        EXPECT_TRUE(write_timeline());
        EXPECT_TRUE(has(file.text(), "\"pid\":" + std::to_string(::getpid()) + ","));
    }));
}

TEST(timeline, a_fork_inside_a_task_does_not_disturb_it) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(act_inside_task({.threads = 3}, thread_kind::worker, [] {
            EXPECT_EQ(status_of_fork([] { return counts_right({.threads = 2}, depth) ? 0 : 1; }), 0);
        }));
        EXPECT_TRUE(write_timeline());
    }));
    EXPECT_TRUE(did(file.text(), "worker 1", "work") || did(file.text(), "worker 2", "work")) << file.text();
}

// A child that ends with exit() writes what its streams hold, so it must not have got a part of the file.
TEST(timeline, a_fork_while_the_file_is_written_does_not_disturb_it) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        make_a_long_record(2);
        std::atomic<bool> is_over{false};
        std::thread writer([&] {
            while (!is_over.load()) {
                EXPECT_TRUE(write_timeline());
                const std::string text = file.text();
                EXPECT_TRUE(is_complete(text) && text.rfind("displayTimeUnit") < 10) << text;
            }
        });
        for (int i = 0; i < 100; ++i)
            EXPECT_TRUE(ended_with(status_of_fork([]() -> int { std::exit(0); }), 0));
        is_over.store(true);
        writer.join();
    }));
}

TEST(timeline, processes_with_the_same_file_do_not_mix) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        unsigned writers = 0;
        for (; writers < 2; ++writers) {
            if (::fork() != 0)
                continue;
            limit_child();
            // With different numbers of threads, so that the records differ in length.
            make_a_long_record(1 + writers);
            for (int write = 0; write < 200; ++write)
                EXPECT_TRUE(write_timeline());
            ::_exit(::testing::Test::HasFailure() ? failed_expectation : 0);
        }
        // A record is there as a whole or not at all, whenever it is read.
        while (writers != 0) {
            const std::string text = file.text();
            EXPECT_TRUE(text.empty() || is_complete(text)) << text;
            int status = -1;
            if (::waitpid(-1, &status, WNOHANG) == 0)
                continue;
            EXPECT_TRUE(ended_with(status, 0)) << status;
            --writers;
        }
        EXPECT_TRUE(is_complete(file.text())) << file.text();
    }));
}

TEST(timeline, a_file_that_cannot_be_written_is_told_once) {
    const timeline_file file;
    std::filesystem::create_symlink("/dev/full", file.name());
    const std::string folder = std::filesystem::path(file.name()).parent_path() / "folder.json";
    std::filesystem::create_directory(folder);
    for (const std::string& name : {std::string("/nonexistent/timeline.json"), folder, file.name()}) {
        ::setenv("TEFF_TRACE", name.c_str(), 1);
        const child_outcome outcome = run_in_child([] {
            EXPECT_TRUE(counts_right({.threads = 2}, depth));
            EXPECT_TRUE(counts_right({.threads = 2}, depth));
            std::exit(::testing::Test::HasFailure() ? failed_expectation : 0);
        });
        EXPECT_EQ(outcome.code(), 0);
        EXPECT_EQ(outcome.lines_with("TEFF_TRACE: the file '" + name + "' cannot be written: "), 1U)
            << outcome.errors;
        EXPECT_EQ(outcome.lines_with(""), 1U) << outcome.errors;
    }
}

// The file of a link is nobody's record; and a record of before is there until a new one can take its place.
TEST(timeline, links_and_older_records_are_replaced_as_a_whole) {
    const timeline_file file;
    const std::filesystem::path folder = std::filesystem::path(file.name()).parent_path();
    std::ofstream(folder / "victim") << "old";
    std::filesystem::create_symlink("victim", file.name());
    expect_quiet(run_in_child([&] {
        EXPECT_TRUE(counts_right({.threads = 1}, depth));
        EXPECT_EQ(file.text(), "old");
        EXPECT_TRUE(write_timeline());
    }));
    EXPECT_FALSE(std::filesystem::is_symlink(file.name()));
    EXPECT_TRUE(is_complete(file.text())) << file.text();
    std::string victim;
    std::getline(std::ifstream(folder / "victim"), victim);
    EXPECT_EQ(victim, "old");
    // A process that begins a record and is killed.
    const std::string before = file.text();
    const child_outcome killed = run_in_child([] {
        EXPECT_TRUE(counts_right({.threads = 1}, depth));
        ::kill(::getpid(), SIGKILL);
    });
    EXPECT_TRUE(WIFSIGNALED(killed.status));
    EXPECT_EQ(file.text(), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
}

TEST(timeline, a_name_stays_the_same_when_the_program_changes_its_folder) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        ASSERT_EQ(::chdir(std::filesystem::path(file.name()).parent_path().c_str()), 0);
        ::setenv("TEFF_TRACE", "timeline.json", 1);
        EXPECT_TRUE(counts_right({.threads = 1}, depth));
        ASSERT_EQ(::chdir("/"), 0);
        EXPECT_TRUE(write_timeline());
    }));
    EXPECT_TRUE(is_complete(file.text())) << file.text();
}

TEST(timeline, threads_of_the_program_have_lines_of_their_own) {
    const timeline_file file;
    expect_quiet(run_in_child([&] {
        for (int i = 0; i < 3; ++i)
            std::thread([] {
                task_group group;
                group.run([] {});
                group.wait();
            }).join();
        EXPECT_TRUE(write_timeline());
        const std::string text = file.text();
        std::size_t callers = 0;
        for (std::size_t place = text.find("\"name\":\"caller\",\"work_ns\""); place != std::string::npos;
             place = text.find("\"name\":\"caller\",\"work_ns\"", place + 1))
            ++callers;
        EXPECT_EQ(callers, 3U) << text;
    }));
}

}  // namespace
}  // namespace teff::testing
