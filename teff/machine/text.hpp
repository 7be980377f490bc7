// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading small texts (files of the kernel, values of options) without allocation, exceptions or locale.
//
// Everything works on views of the caller's text. The standard stream and string classes are not used, because these
// floors must also work inside an object that depends on libc alone, and where memory has run out.
// All functions are pure, so any thread may call them at any time.
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

// Cuts `rest` at the first `separator`: returns what is before it and leaves in `rest` what is after it. Without a
// separator everything is returned and `rest` becomes empty.
constexpr std::string_view take_until(std::string_view& rest, char separator) noexcept {
    std::size_t length = 0;
    while (length < rest.size() && rest[length] != separator)
        ++length;
    const std::string_view taken(rest.data(), length);
    rest.remove_prefix(length < rest.size() ? length + 1 : length);
    return taken;
}

// The whole of `text` as a decimal number with an optional minus sign. Nothing for an empty text, for any other
// character (blanks and a plus sign included), and for a number that `long` cannot hold.
[[nodiscard]] inline std::optional<long> parse_number(std::string_view text) noexcept {
    long value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped_at, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stopped_at != end)
        return std::nullopt;
    return value;
}

}  // namespace teff
