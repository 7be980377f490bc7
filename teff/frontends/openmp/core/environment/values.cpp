// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsers for the values of OpenMP's environment variables: words, numbers with units, lists, and schedules.
#include <teff/frontends/openmp/core/environment/values.hpp>

#include <teff/machine/text.hpp>

#include <climits>

namespace teff::openmp::environment {
namespace {

constexpr char lower(char character) noexcept {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

// Cuts off the letters at the end of `text` and the blanks around them.
std::string_view take_suffix(std::string_view& text) noexcept {
    text = trim(text);
    std::size_t digits = text.size();
    while (digits != 0 && lower(text[digits - 1]) >= 'a' && lower(text[digits - 1]) <= 'z')
        --digits;
    const std::string_view suffix = text.substr(digits);
    text = trim(text.substr(0, digits));
    return suffix;
}

constexpr std::string_view infinities[] = {"infinite", "infinity"};
bool is_infinite(std::string_view text) noexcept {
    unsigned which = 0;
    return parse_word(text, infinities, which);
}

bool parse_positive(std::string_view text, long& result) noexcept { return parse_integer(text, 1, LONG_MAX, result); }

// A number that is not negative, times the unit. Returns false also if the product is too large.
bool parse_scaled(std::string_view number, long unit, long& result) noexcept {
    long value = 0;
    return parse_integer(number, 0, LONG_MAX, value) && !__builtin_mul_overflow(value, unit, &result);
}

}  // namespace

bool is_word(std::string_view text, std::string_view word) noexcept {
    text = trim(text);
    if (text.size() != word.size())
        return false;
    for (std::size_t place = 0; place < text.size(); ++place)
        if (lower(text[place]) != lower(word[place]))
            return false;
    return true;
}

bool parse_word(std::string_view text, std::span<const std::string_view> words, unsigned& index) noexcept {
    for (unsigned each = 0; each < words.size(); ++each)
        if (is_word(text, words[each])) {
            index = each;
            return true;
        }
    return false;
}

bool parse_boolean(std::string_view text, bool& result) noexcept {
    // Words at even indices mean true.
    constexpr std::string_view words[] = {"true", "false",   "yes",      "no", "on", "off",
                                          "enabled", "disabled", "1", "0"};
    unsigned which = 0;
    if (!parse_word(text, words, which))
        return false;
    result = which % 2 == 0;
    return true;
}

bool parse_integer(std::string_view text, long least, long most, long& result) noexcept {
    text = trim(text);
    if (text.starts_with('+'))
        text.remove_prefix(1);
    if (text.starts_with('-') && least >= 0)
        return false;
    const auto number = parse_number(text);
    if (!number || *number < least || *number > most)
        return false;
    result = *number;
    return true;
}

bool parse_size(std::string_view text, std::size_t usual_unit, std::size_t& bytes) noexcept {
    constexpr std::string_view suffixes[] = {"b", "k", "m", "g", "t"};
    const std::string_view suffix = take_suffix(text);
    long unit = static_cast<long>(usual_unit);
    if (unsigned which = 0; !suffix.empty()) {
        if (!parse_word(suffix, suffixes, which))
            return false;
        unit = 1L << (10 * which);
    }
    long size = 0;
    if (!parse_scaled(text, unit, size) || size == 0)
        return false;
    bytes = static_cast<std::size_t>(size);
    return true;
}

bool parse_time(std::string_view text, long& microseconds) noexcept {
    constexpr std::string_view suffixes[] = {"us", "ms", "s"};
    constexpr long units[] = {1, 1000, 1'000'000};
    if (is_infinite(text)) {
        microseconds = endless_us;
        return true;
    }
    const std::string_view suffix = take_suffix(text);
    unsigned which = 1;
    long time = 0;
    if ((!suffix.empty() && !parse_word(suffix, suffixes, which)) || !parse_scaled(text, units[which], time))
        return false;
    microseconds = time < endless_us ? time : endless_us;
    return true;
}

bool parse_count(std::string_view text, long& result) noexcept {
    constexpr std::string_view suffixes[] = {"k", "m", "g", "t"};
    constexpr long units[] = {1000, 1'000'000, 1'000'000'000, 1'000'000'000'000};
    if (is_infinite(text)) {
        result = LONG_MAX;
        return true;
    }
    const std::string_view suffix = take_suffix(text);
    unsigned which = 0;
    if (!suffix.empty() && !parse_word(suffix, suffixes, which))
        return false;
    return parse_scaled(text, suffix.empty() ? 1 : units[which], result);
}

bool parse_thread_list(std::string_view text, level_list<unsigned>& result) noexcept {
    level_list<unsigned> read;
    bool more = true;
    while (more) {
        more = text.find(',') != std::string_view::npos;
        long number = 0;
        if (read.count == most_levels || !parse_integer(take_until(text, ','), 1, no_limit, number))
            return false;
        read.at[read.count++] = static_cast<unsigned>(number);
    }
    result = read;
    return true;
}

bool parse_bind_list(std::string_view text, level_list<binding>& result) noexcept {
    constexpr std::string_view words[] = {"primary", "close", "spread", "master"};
    constexpr binding meanings[] = {binding::primary, binding::close, binding::spread, binding::primary};
    level_list<binding> read;
    if (bool binds = false; parse_boolean(text, binds)) {
        read.at[0] = binds ? binding::any : binding::none;
        read.count = 1;
        result = read;
        return true;
    }
    bool more = true;
    while (more) {
        more = text.find(',') != std::string_view::npos;
        unsigned which = 0;
        if (read.count == most_levels || !parse_word(take_until(text, ','), words, which))
            return false;
        read.at[read.count++] = meanings[which];
    }
    result = read;
    return true;
}

bool parse_schedule(std::string_view text, run_schedule& result) noexcept {
    constexpr std::string_view modifiers[] = {"monotonic", "nonmonotonic"};
    constexpr std::string_view kinds[] = {"static", "dynamic", "guided", "auto", "trapezoidal", "static_steal"};
    // LLVM's static_steal is `dynamic` here: each thread has a share of the chunks, from which other threads may take.
    constexpr schedule_kind meanings[] = {schedule_kind::static_,   schedule_kind::dynamic,     schedule_kind::guided,
                                          schedule_kind::automatic, schedule_kind::trapezoidal, schedule_kind::dynamic};
    run_schedule read;
    unsigned which = 0;
    if (text.find(':') != std::string_view::npos) {
        if (!parse_word(take_until(text, ':'), modifiers, which))
            return false;
        read.is_monotonic = which == 0;
    }
    const bool has_chunk = text.find(',') != std::string_view::npos;
    if (!parse_word(take_until(text, ','), kinds, which))
        return false;
    read.kind = meanings[which];
    read.chunk = chunk_without(read.kind);
    long chunk = 0;
    if (has_chunk && !parse_positive(text, chunk))
        return false;
    if (has_chunk && read.kind != schedule_kind::automatic)
        read.chunk = chunk < no_limit ? chunk : long{no_limit};
    result = read;
    return true;
}

}  // namespace teff::openmp::environment
