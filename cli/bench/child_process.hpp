// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One child process from start to end: its output, how it ended, and a limit on how long it may take.
//
// The child leads a process group of its own, so that stopping it stops whatever it started; nothing else is ever
// signalled. The group is ended before the child is waited for, while its number cannot belong to anybody else.
// The limit counts the whole life of the child on the monotonic clock. SIGINT, SIGTERM and SIGHUP to this process end
// the child's group first, then this process, as the user expects of Ctrl-C.
// Rejected: an alarm inside the child, which a child that hangs with signals blocked would survive.
//
// One child at a time: run_child() must not be called by two threads together (the signal handler knows one group).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli {

struct child_request {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    // Added to what this process has, replacing what has the same name.
    std::vector<std::pair<std::string, std::string>> environment;
    // Inherited variables whose names begin so are not passed on.
    std::vector<std::string> removed_prefixes;
    double limit_seconds = 60;
};

enum class child_ending {
    exited,       // code is the exit status
    signalled,    // code is the signal
    over_limit,   // stopped here
    not_started,  // errors says why
};

struct child_result {
    child_ending ending = child_ending::not_started;
    int code = 0;
    std::string output;
    std::string errors;
};

// Never throws for what the child does. Output beyond a mebibyte per stream is dropped.
[[nodiscard]] child_result run_child(const child_request& request);

}  // namespace teff::cli
