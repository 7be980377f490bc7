// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The output of the command: results to standard output, messages to standard error.
//
// A result that could not be written is an error of the command (a full disk, a closed stream), but not before the
// command has done what else it can: printing never throws, and main() asks at the end whether all went out. A message
// that cannot be written is lost, since there is no other place for it.
//
// Names and paths may have any characters, so in both streams all control characters but the end of a line and the tab
// are made visible (terminal_lines()).
#pragma once

#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace teff::cli {

void print_text(const std::string& text);
void print_message(const std::string& text);

// A sequence that moves the cursor, to standard error as it is.
void steer_terminal(const char* sequence);

// To standard output.
template <class... Values>
void print(fmt::format_string<Values...> text, Values&&... values) {
    print_text(fmt::format(text, std::forward<Values>(values)...));
}

// To standard error.
template <class... Values>
void tell(fmt::format_string<Values...> text, Values&&... values) {
    print_message(fmt::format(text, std::forward<Values>(values)...));
}

// Gives a standard stream that is closed a descriptor that can be neither read nor written. Otherwise the next file
// that is opened would have its number, and would get what is printed. To be called first.
void occupy_closed_streams();

// Why standard output takes nothing, as far as that shows before something is written.
[[nodiscard]] std::optional<std::string> why_no_output();

// Writes what is still in the buffer, so that messages come after it.
void flush_output();

// The same at the end of the program. Returns the exit status: the given one, or failure, with a message, if output was
// lost.
[[nodiscard]] int finish_output(int status);

// The width of the terminal in characters; nothing if the descriptor is not a terminal, so that logs and pipes get all
// there is. A terminal that does not tell its width has that of the variable COLUMNS, or else 80.
[[nodiscard]] std::optional<unsigned> terminal_width(int descriptor);

}  // namespace teff::cli
