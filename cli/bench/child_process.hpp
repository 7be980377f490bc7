// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Child processes from start to end: their output, how they ended, and a limit on how long each may take.
//
// The child leads a process group of its own, so that stopping it also stops every process that it started; no other
// process is ever signalled. The group is ended before waitpid() is called for the child, while its number cannot be
// reused by another process. The limit applies to the whole life of the child, on the monotonic clock. SIGINT, SIGTERM
// and SIGHUP to this process end the groups of all children first and then this process, as the user expects of Ctrl-C.
// While such a signal is deferred it ends the children alone, and no further child is started: then this process can
// still save what it has, and ends by end_by_deferred_signal(). A second signal ends it at once.
// Rejected: an alarm inside the child. A child that hangs with signals blocked would survive it.
//
// Several children at once are those of one call, which one thread watches: two threads must not start children at the
// same time (a signal could come to the one while the other has started a child that the handler does not know yet).
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
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
    over_limit,   // stopped by its parent
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

// The same for several children, at most `at_once` at the same time. `ended` is called for each, with its place among
// the requests, in the order in which they end; it must not start children.
inline constexpr std::size_t most_children_at_once = 256;
using child_ended = std::function<void(std::size_t index, child_result result)>;
void run_children(std::span<const child_request> requests, std::size_t at_once, const child_ended& ended);

// From now on the signals above are deferred.
void defer_ending_signals();

[[nodiscard]] bool is_signal_deferred();

// Ends this process by the signal that was deferred, as if it had just arrived; does nothing if there was none.
void end_by_deferred_signal();

}  // namespace teff::cli
