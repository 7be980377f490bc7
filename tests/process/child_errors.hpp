// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the messages of a child process that does not end by itself, such as one that reports a stall.
#pragma once

#include <tests/child_process.hpp>

#include <gtest/gtest.h>

#include <csignal>
#include <cstddef>
#include <regex>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace teff::testing {

// Returns the stderr of a child process, read until is_enough(text) or until the child ends; then kills the child.
template <class Enough, class Body>
std::string errors_until(const Enough& is_enough, Body&& body) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        limit_child();
        ::dup2(ends[1], STDERR_FILENO);
        ::close(ends[0]);
        ::close(ends[1]);
        body();
        ::_exit(0);
    }
    ::close(ends[1]);
    std::string errors;
    char piece[4096];
    while (!is_enough(errors)) {
        const ssize_t length = ::read(ends[0], piece, sizeof piece);
        if (length <= 0)
            break;
        errors.append(piece, static_cast<std::size_t>(length));
    }
    ::close(ends[0]);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    return errors;
}

// Whether one of the messages matches the pattern as a whole.
inline bool has_line(const std::string& text, const std::string& pattern) {
    return std::regex_search(text, std::regex("(^|\n)teff: " + pattern + "\n"));
}

}  // namespace teff::testing
