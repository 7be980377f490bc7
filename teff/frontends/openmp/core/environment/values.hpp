// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsers of the values that the variables of the environment take (OpenMP 5.1, chapter 6). Upper and lower case are
// the same, and blanks around words and separators do not matter.
//
// Each returns whether the whole text is a value, and writes its result only then. All are pure: any thread may call
// them, and they use nothing but the C library.
#pragma once

#include <teff/frontends/openmp/core/environment/icvs.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace teff::openmp::environment {

// A list with one entry per nesting level.
inline constexpr unsigned most_levels = 64;
template <class Value>
struct level_list {
    std::array<Value, most_levels> at{};
    unsigned count = 0;
};

// Whether the texts are equal, without regard to case and to blanks around them.
bool is_word(std::string_view text, std::string_view word) noexcept;
// Sets `index` to the index of the word in the list.
bool parse_word(std::string_view text, std::span<const std::string_view> words, unsigned& index) noexcept;

// true, yes, on, enabled, 1 and their opposites.
bool parse_boolean(std::string_view text, bool& result) noexcept;
// A decimal number in this range.
bool parse_integer(std::string_view text, long least, long most, long& result) noexcept;
// A number of bytes, at least 1, with one of the suffixes B, K, M, G and T, or in multiples of `usual_unit`.
bool parse_size(std::string_view text, std::size_t usual_unit, std::size_t& bytes) noexcept;
// A time, in milliseconds or with one of the suffixes us, ms and s, or `infinite`.
bool parse_time(std::string_view text, long& microseconds) noexcept;
// A number with one of the suffixes k, M, G and T (powers of 1000), or `infinite`, which is LONG_MAX.
bool parse_count(std::string_view text, long& result) noexcept;

// "8", "4,3,2": positive numbers.
bool parse_thread_list(std::string_view text, level_list<unsigned>& result) noexcept;
// "true", "false", or a list of primary, master, close and spread.
bool parse_bind_list(std::string_view text, level_list<binding>& result) noexcept;
// "[modifier:]kind[,chunk]".
bool parse_schedule(std::string_view text, run_schedule& result) noexcept;

}  // namespace teff::openmp::environment
