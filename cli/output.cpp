// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing; see output.hpp.
#include <cli/output.hpp>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cli/shown_text.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

// The error of the first write that failed, or 0. The stream remembers that one did, but not why.
int output_error = 0;

void note_if(bool failed) {
    if (failed && output_error == 0)
        output_error = errno;
}

}  // namespace

void print_text(const std::string& text) {
    const std::string shown = terminal_lines(text);
    note_if(std::fwrite(shown.data(), 1, shown.size(), stdout) < shown.size());
}

void print_message(const std::string& text) {
    const std::string shown = terminal_lines(text);
    (void)std::fwrite(shown.data(), 1, shown.size(), stderr);
}

void steer_terminal(const char* sequence) { (void)std::fputs(sequence, stderr); }

void occupy_closed_streams() {
    // The lowest free number is used, so the streams below are open already. Programs that this one starts do not
    // inherit it.
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0)
            (void)::open("/dev/null", O_PATH | O_CLOEXEC);
}

std::optional<std::string> why_no_output() {
    // Writes nothing, and still meets a closed stream and a full device.
    if (::write(STDOUT_FILENO, "", 0) == 0)
        return std::nullopt;
    return std::generic_category().message(errno);
}

void flush_output() { note_if(std::fflush(stdout) != 0); }

int finish_output(int status) {
    flush_output();
    if (output_error == 0)
        return status;
    tell("teff: standard output cannot be written, so results are missing there: {}\n",
         std::generic_category().message(output_error));
    return status == 0 ? 1 : status;
}

std::optional<unsigned> terminal_width(int descriptor) {
    constexpr unsigned usual_width = 80;
    constexpr long greatest_width = 10'000;
    if (::isatty(descriptor) != 1)
        return std::nullopt;
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    const char* const told = std::getenv("COLUMNS");
    const auto wished = told == nullptr ? std::nullopt : parse_integer(told);
    return wished && *wished > 0 && *wished <= greatest_width ? static_cast<unsigned>(*wished) : usual_width;
}

}  // namespace teff::cli
