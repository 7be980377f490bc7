// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One child process from start to end: its output, how it ended, and a limit on how long it may take.
//
// The child leads a process group of its own, so that stopping it also stops every process that it started; no other
// process is ever signalled. The group is ended before waitpid() is called for the child, while its number cannot be
// reused by another process. The limit applies to the whole life of the child, on the monotonic clock. SIGINT, SIGTERM
// and SIGHUP to this process end the child's group first and then this process, as the user expects of Ctrl-C. While
// such a signal is deferred it ends the child alone, and no further child is started: then this process can still save
// what it has, and ends by end_by_deferred_signal(). A second signal ends it at once.
// Rejected: an alarm inside the child. A child that hangs with signals blocked would survive it.
//
// One child at a time: two threads must not call run_child() at the same time (the signal handler knows one group).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace teff::cli {

struct child_request {
    std::filesystem::path program;
    std::vector<std::string> arguments;
    // Added to this process's environment; replaces variables of the same name.
    std::vector<std::pair<std::string, std::string>> environment;
    // Inherited variables whose names begin with one of these are not passed on.
    std::vector<std::string> removed_prefixes;
    double limit_seconds = 60;
};

enum class child_ending {
    exited,       // `code` is the exit status
    signalled,    // `code` is the signal
    over_limit,   // stopped by run_child()
    not_started,  // `errors` has the reason
    interrupted,  // a deferred signal ended it, or kept it from starting
};

struct child_result {
    child_ending ending = child_ending::not_started;
    int code = 0;
    std::string output;
    std::string errors;
};

// Does not throw, whatever the child does. Output beyond one mebibyte per stream is dropped.
[[nodiscard]] child_result run_child(const child_request& request);

// From now on the signals above are deferred.
void defer_ending_signals();

[[nodiscard]] bool is_signal_deferred();

// Ends this process by the signal that was deferred, as if it had just arrived; does nothing if there was none.
void end_by_deferred_signal();

}  // namespace teff::cli
