// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests: runs a piece of a test in a process of its own, and says how that ended and what it wrote to stderr.
//
// The process of the test itself stays without workers, so every child starts from an unused runtime: its own
// variables, its own pool, its own way to end. Expectations of GoogleTest inside the child count: with a failed one its
// exit status is failed_expectation. A child that does not end is reported by the watchdog and killed.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

#include <csignal>

// LeakSanitizer asks this before it looks for leaks. Without it nobody calls the function.
extern "C" int __lsan_is_turned_off();

namespace teff::testing {

inline constexpr int failed_expectation = 99;

struct child_outcome {
    int status = 0;      // as of waitpid()
    std::string errors;  // what it and its own children wrote to stderr

    // The exit status, or -1 if a signal ended it.
    [[nodiscard]] int code() const { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

    // Lines of stderr that contain `text`.
    [[nodiscard]] std::size_t lines_with(std::string_view text) const {
        std::size_t count = 0;
        for (std::size_t begin = 0; begin < errors.size();) {
            const std::size_t end = std::min(errors.find('\n', begin), errors.size());
            count += std::string_view(errors).substr(begin, end - begin).find(text) != std::string_view::npos;
            begin = end + 1;
        }
        return count;
    }
};

// In a forked process: after this it dies with its parent and cannot last for ever. It ends before the test's own limit
// (main.cpp), so that the test can say so.
inline void limit_child() {
    const char* const limit_of_test = std::getenv("TEST_LIMIT_S");
    const unsigned long limit_s = limit_of_test != nullptr ? std::strtoul(limit_of_test, nullptr, 10) * 3 / 4 : 90;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    ::alarm(static_cast<unsigned>(limit_s));
}

// In the child of a process with other threads. These do not exist in it, so LeakSanitizer would take what they had
// allocated for leaks if the child ends with exit().
inline bool has_lost_threads = false;

inline bool ended_with(int status, int code) { return WIFEXITED(status) && WEXITSTATUS(status) == code; }

// Forks. True in the child, which goes on from there; the parent expects that it ends with `code`.
inline bool goes_on_as_child_ending_with(int code) {
    const pid_t child = ::fork();
    if (child == 0) {
        limit_child();
        return true;
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(ended_with(status, code)) << status;
    return false;
}

// The status that a child of fork() ended with; the child calls `body` and ends with what that returns.
template <class Body>
int status_of_fork(Body&& body) {
    const pid_t child = ::fork();
    if (child == 0) {
        limit_child();
        has_lost_threads = true;
        ::_exit(body());
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return status;
}

// Removes what qemu's user mode says of a program that a signal has ended.
inline void drop_lines_of_emulator(std::string& errors) {
    constexpr std::string_view begin = "qemu: ";
    for (std::size_t at = 0; (at = errors.find(begin, at)) != std::string::npos;)
        if (at == 0 || errors[at - 1] == '\n')
            errors.erase(at, errors.find('\n', at) - at + 1);
        else
            at += begin.size();
}

// How many expectations of the running test have failed so far. A child inherits those of its parent.
inline int failed_expectations() {
    const ::testing::TestInfo* const running = ::testing::UnitTest::GetInstance()->current_test_info();
    int count = 0;
    for (int part = 0; running != nullptr && part < running->result()->total_part_count(); ++part)
        count += running->result()->GetTestPartResult(part).failed() ? 1 : 0;
    return count;
}

template <class Body>
child_outcome run_in_child(Body&& body) {
    std::fflush(nullptr);
    int ends[2];
    if (::pipe(ends) != 0) {
        ADD_FAILURE() << "no pipe";
        return {};
    }
    const pid_t child = ::fork();
    if (child == 0) {
        limit_child();
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        const int failed_before = failed_expectations();
        std::forward<Body>(body)();
        std::fflush(nullptr);
        ::_exit(failed_expectations() > failed_before ? failed_expectation : 0);
    }
    ::close(ends[1]);
    child_outcome outcome;
    char piece[4096];
    for (ssize_t length; (length = ::read(ends[0], piece, sizeof piece)) > 0;)
        outcome.errors.append(piece, static_cast<std::size_t>(length));
    ::close(ends[0]);
    ::waitpid(child, &outcome.status, 0);
    drop_lines_of_emulator(outcome.errors);
    return outcome;
}

// The usual verdict: it ended with `code`, and wrote nothing to stderr.
inline void expect_quiet(const child_outcome& outcome, int code = 0) {
    EXPECT_EQ(outcome.code(), code) << "status " << outcome.status << ", stderr:\n" << outcome.errors;
    EXPECT_EQ(outcome.errors, "");
}

}  // namespace teff::testing

extern "C" [[gnu::used]] inline int __lsan_is_turned_off() { return teff::testing::has_lost_threads ? 1 : 0; }
