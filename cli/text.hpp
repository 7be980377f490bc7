// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The few operations on text that the command needs: lists, numbers, names with suggestions, units.
//
// Numbers are read strictly: the whole text must be the number ("5x" and "" are not 5). Parsing returns an empty
// optional on failure and never throws; the caller knows the option's name and can say what is wrong with the value.
// Any thread may call everything here: no function keeps state.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace teff::cli {

// "a,b,,c" gives a, b and c: empty parts are dropped, and blanks around a part are removed.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text, char separator = ',');

// "a, b and c".
[[nodiscard]] std::string join_words(std::span<const std::string> words);

[[nodiscard]] std::optional<long> parse_integer(std::string_view text);

// A finite number in plain or exponent notation; no "inf", "nan" or hexadecimal.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

// The first candidate that begins with `name`; else the nearest one, if it is near enough that the user may mean it.
[[nodiscard]] std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// " (did you mean 'x'?)" or nothing.
[[nodiscard]] std::string suggestion(std::string_view name, std::span<const std::string> candidates);

// The text up to the first line break, without trailing blanks.
[[nodiscard]] std::string first_line(std::string_view text);

// 1536 is "1.5 KiB".
[[nodiscard]] std::string format_bytes(std::uint64_t bytes);

// Three significant digits if some are after the decimal point, else all digits before it: "0.0123", "12.3", "12345".
[[nodiscard]] std::string number_text(double value);

// Four significant digits and a unit that fits: "12.35 ms".
[[nodiscard]] std::string format_seconds(double seconds);

}  // namespace teff::cli
