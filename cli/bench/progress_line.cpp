// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress on standard error; see progress_line.hpp.
#include <cli/bench/progress_line.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <cli/bench/rounds.hpp>
#include <cli/output.hpp>
#include <cli/shown_text.hpp>

namespace teff::cli {

namespace {

// Returns to the first column and erases the line.
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

progress_line::progress_line(unsigned rounds) : rounds_(rounds), is_terminal_(::isatty(STDERR_FILENO) == 1) {}

progress progress_line::progress_to_tell() {
    progress told;
    told.warms_up = [this](const configuration& what) {
        show(fmt::format("warming up: {} {}", what.kernel, what.size_text()));
    };
    told.run_starts = [this](const started_run& run) { run_starts(run); };
    told.skipped = [this](const skip& skipped) {
        tell_line(fmt::format("skipped: {}: {}", skipped.what.text(), skipped.reason));
    };
    told.keeps_one_run = [this](const configuration& what) {
        tell_line(fmt::format("keeps one run, over {:g} times slower than the fastest peer: {}", slow_peer_factor,
                              what.text()));
    };
    return told;
}

void progress_line::finish() {
    if (is_terminal_)
        steer_terminal(clear_line);
}

void progress_line::run_starts(const started_run& run) {
    if (is_terminal_) {
        const std::string left =
            run.seconds_left ? fmt::format(", about {} left", rough_duration(*run.seconds_left)) : std::string{};
        show(fmt::format("[{}/{}] round {}/{}{}: {}", run.done + 1, run.total, run.round + 1, rounds_, left,
                         run.what.text()));
        return;
    }
    std::string heading =
        fmt::format("round {}/{}: {} {}", run.round + 1, rounds_, run.what.kernel, run.what.size_text());
    if (heading == last_heading_)
        return;
    tell("teff bench: [{}/{}] {}\n", run.done + 1, run.total, heading);
    last_heading_ = std::move(heading);
}

void progress_line::show(const std::string& text) {
    if (!is_terminal_)
        return;
    // A line that is wrapped could not be erased. The width may change at any time.
    steer_terminal(clear_line);
    tell("{}", cut_to(terminal_text(text), terminal_width(STDERR_FILENO).value_or(80) - 1, ""));
}

void progress_line::tell_line(const std::string& text) {
    if (is_terminal_)
        steer_terminal(clear_line);
    tell("teff bench: {}\n", text);
}

}  // namespace teff::cli
