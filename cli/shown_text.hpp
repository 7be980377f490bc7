// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Escapes text from outside (names of functions and programs, labels, paths, inputs) for the command's output, and
// computes its width on a terminal. These are the functions of teff/base/escaped_text.hpp, which says what is escaped
// in each language, for std::string.
//
// Escape text for a terminal before you ask for its width: an escape is wider than the character that it replaces. Any
// thread may call everything here: no function keeps state.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace teff::cli {

// A JSON string, with its quotes; also in a script element of a page.
[[nodiscard]] std::string json_string(std::string_view text);

// For HTML and SVG, in elements and in attributes.
[[nodiscard]] std::string markup_text(std::string_view text);

// For one line on a terminal.
[[nodiscard]] std::string terminal_text(std::string_view text);

// The same for a text of several lines, which keeps the ends of its lines and its tabs.
[[nodiscard]] std::string terminal_lines(std::string_view text);

// The text with a replacement character for each that is broken.
[[nodiscard]] std::string repaired(std::string_view text);

// How many columns of a terminal the text takes, after terminal_text(): two for each wide character of East Asia and
// for pictures, none for accents that combine.
[[nodiscard]] std::size_t columns_of(std::string_view text);

// How many characters the text has, for pictures, in which widths are estimated.
[[nodiscard]] std::size_t characters_in(std::string_view text);

// The begin of the text in that many columns, with the ending if something was cut off.
[[nodiscard]] std::string cut_to(std::string_view text, std::size_t columns, std::string_view ending = "...");

// The first or the last characters of a text.
[[nodiscard]] std::string_view first_characters(std::string_view text, std::size_t count);
[[nodiscard]] std::string_view last_characters(std::string_view text, std::size_t count);

// With blanks behind the text, or before it, up to that many columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t columns, bool to_the_right = false);

}  // namespace teff::cli
