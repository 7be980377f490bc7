// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of child_process.hpp, with the shell as child: output, endings, the limit, and that the whole group is ended.
#include <cli/bench/child_process.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace teff::cli {
namespace {

child_request shell(const std::string& script, double limit_seconds = 60) {
    child_request request;
    request.program = "/bin/sh";
    request.arguments = {"-c", script};
    request.limit_seconds = limit_seconds;
    return request;
}

TEST(child_process, both_streams_and_the_status_come_back) {
    const child_result result = run_child(shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(result.ending, child_ending::exited);
    EXPECT_EQ(result.code, 3);
    EXPECT_EQ(result.output, "out\n");
    EXPECT_EQ(result.errors, "err\n");
}

TEST(child_process, a_signal_is_told_from_an_exit) {
    const child_result result = run_child(shell("kill -SEGV $$"));
    EXPECT_EQ(result.ending, child_ending::signalled);
    EXPECT_EQ(result.code, SIGSEGV);
}

TEST(child_process, a_failed_start_reports_the_reason) {
#if defined(TEFF_EMULATED)
    GTEST_SKIP() << "qemu's user mode does not return the error of posix_spawn()";
#endif
    child_request request;
    request.program = "/nonexistent/runner";
    const child_result result = run_child(request);
    EXPECT_EQ(result.ending, child_ending::not_started);
    EXPECT_NE(result.errors.find("/nonexistent/runner cannot be started"), std::string::npos);
}

TEST(child_process, much_output_does_not_block_the_child) {
    const child_result result = run_child(shell("head -c 3000000 /dev/zero; echo done >&2"));
    EXPECT_EQ(result.ending, child_ending::exited);
    EXPECT_EQ(result.output.size(), std::size_t{1} << 20);
    EXPECT_EQ(result.errors, "done\n");
}

TEST(child_process, variables_are_set_replaced_and_taken_away) {
    ::setenv("CHILD_TEST_REPLACED", "old", 1);
    ::setenv("CHILD_GONE_A", "here", 1);
    child_request request = shell("echo $CHILD_TEST_REPLACED,$CHILD_GONE_A,$CHILD_TEST_ADDED");
    request.environment = {{"CHILD_TEST_REPLACED", "new"}, {"CHILD_TEST_ADDED", "added"}};
    request.removed_prefixes = {"CHILD_GONE_"};
    EXPECT_EQ(run_child(request).output, "new,,added\n");
}

TEST(child_process, over_the_limit_the_whole_group_is_ended) {
    // The grandchild would outlive the shell. Its number is read before the limit stops both.
    const child_result result = run_child(shell("sleep 1000 & echo $!; wait", 3));
    EXPECT_EQ(result.ending, child_ending::over_limit);
    const pid_t grandchild = static_cast<pid_t>(std::atol(result.output.c_str()));
    ASSERT_GT(grandchild, 0);
    // Waits for the grandchild's end instead of guessing when it is; without a descriptor it has ended already.
    const int handle = static_cast<int>(::syscall(SYS_pidfd_open, grandchild, 0));
    if (handle >= 0) {
        pollfd watched{handle, POLLIN, 0};
        EXPECT_EQ(::poll(&watched, 1, 90'000), 1);
        ::close(handle);
    }
}

TEST(child_process, several_at_once_wait_for_each_other) {
    // Each reads what the other one writes, so neither ends before both run.
    std::string folder = testing::TempDir() + "children_XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    const std::string begin = "cd " + folder + "; mkfifo one two 2>/dev/null; ";
    ASSERT_EQ(run_child(shell(begin)).code, 0);
    const std::vector<child_request> both = {shell(begin + "echo first >one; cat two"),
                                             shell(begin + "cat one; echo second >two")};
    std::vector<std::string> outputs(2);
    run_children(both, 2, [&](std::size_t index, child_result result) { outputs[index] = result.output; });
    EXPECT_EQ(outputs, (std::vector<std::string>{"second\n", "first\n"}));
    std::filesystem::remove_all(folder);
}

TEST(child_process, there_are_no_more_at_once_than_allowed) {
    std::string folder = testing::TempDir() + "children_XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    // mkdir fails for a child that runs beside another one.
    const std::vector<child_request> all(5, shell("mkdir " + folder + "/one && rmdir " + folder + "/one"));
    std::vector<std::size_t> order;
    run_children(all, 1, [&](std::size_t index, child_result result) {
        order.push_back(index);
        EXPECT_EQ(result.code, 0) << result.errors;
    });
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
    std::filesystem::remove_all(folder);
}

TEST(child_process, each_has_its_own_limit_and_ending) {
    const std::vector<child_request> all = {shell("sleep 1000", 1), shell("exit 3"), shell("kill -SEGV $$")};
    std::vector<child_ending> endings(3);
    run_children(all, 3, [&](std::size_t index, child_result result) { endings[index] = result.ending; });
    EXPECT_EQ(endings, (std::vector<child_ending>{child_ending::over_limit, child_ending::exited,
                                                  child_ending::signalled}));
}

TEST(child_process, a_grandchild_that_holds_the_pipe_does_not_hold_the_parent) {
    const child_result result = run_child(shell("sleep 1000 & exit 0", 60));
    EXPECT_EQ(result.ending, child_ending::exited);
    EXPECT_EQ(result.code, 0);
}

}  // namespace
}  // namespace teff::cli
