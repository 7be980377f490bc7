// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Progress on standard error; see progress_line.hpp.
#include <cli/bench/progress_line.hpp>

#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

namespace teff::cli {

namespace {

// Returns to the first column and erases the line.
constexpr const char* clear_line = "\r\x1b[K";

}  // namespace

progress_line::progress_line(unsigned rounds) : rounds_(rounds), is_terminal_(::isatty(STDERR_FILENO) == 1) {}

progress progress_line::progress_to_tell() {
    progress told;
    told.run_starts = [this](unsigned round, const configuration& what, std::size_t done, std::size_t total) {
        run_starts(round, what, done, total);
    };
    told.skipped = [this](const skip& skipped) {
        tell(fmt::format("skipped: {}: {}", skipped.what.text(), skipped.reason));
    };
    told.keeps_one_run = [this](const configuration& what) {
        tell(fmt::format("keeps one run, over {:g} times slower than the fastest peer: {}", slow_peer_factor,
                         what.text()));
    };
    return told;
}

void progress_line::finish() {
    if (is_terminal_)
        fmt::print(stderr, "{}", clear_line);
}

void progress_line::run_starts(unsigned round, const configuration& what, std::size_t done, std::size_t total) {
    if (is_terminal_) {
        fmt::print(stderr, "{}[{}/{}] round {}/{}: {}", clear_line, done + 1, total, round + 1, rounds_, what.text());
        std::fflush(stderr);
        return;
    }
    std::string heading =
        fmt::format("round {}/{}: {} {}", round + 1, rounds_, what.kernel, what.size_text());
    if (heading == last_heading_)
        return;
    fmt::print(stderr, "teff bench: [{}/{}] {}\n", done + 1, total, heading);
    last_heading_ = std::move(heading);
}

void progress_line::tell(const std::string& text) {
    fmt::print(stderr, "{}teff bench: {}\n", is_terminal_ ? clear_line : "", text);
}

}  // namespace teff::cli
