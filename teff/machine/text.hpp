// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads small texts (files of the kernel, values of options) without allocation, exceptions or locale.
//
// All functions work on views of the caller's text. They do not use the standard stream and string classes, because
// this code must also work inside an object that depends on libc alone, and when memory has run out. All functions
// are pure, so any thread may call them at any time.
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace teff {

// True for the characters that separate words: space, tab, and the ends of lines.
[[nodiscard]] constexpr bool is_blank(char character) noexcept {
    return character == ' ' || character == '\t' || character == '\n' || character == '\r';
}

// `text` without the blanks at both ends.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && is_blank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back()))
        text.remove_suffix(1);
    return text;
}

// Cuts `rest` at the first `separator`: returns the text before it and leaves the text after it in `rest`. Without a
// separator it returns all of `rest` and leaves it empty.
constexpr std::string_view take_until(std::string_view& rest, char separator) noexcept {
    std::size_t length = 0;
    while (length < rest.size() && rest[length] != separator)
        ++length;
    const std::string_view taken(rest.data(), length);
    rest.remove_prefix(length < rest.size() ? length + 1 : length);
    return taken;
}

// The whole of `text` as a decimal number with an optional minus sign. Returns nothing for an empty text, for any
// other character (blanks and a plus sign included), and for a number that does not fit in `long`.
[[nodiscard]] inline std::optional<long> parse_number(std::string_view text) noexcept {
    long value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped_at != end)
        return std::nullopt;
    return value;
}

}  // namespace teff
