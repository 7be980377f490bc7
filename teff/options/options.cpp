// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks values against their rows, and composes the messages about unusable values.
#include <teff/options/options.hpp>

#include <teff/base/assert.hpp>
#include <teff/base/bounded_text.hpp>
#include <teff/base/names.hpp>
#include <teff/machine/process_limits.hpp>
#include <teff/machine/text.hpp>

#include <algorithm>
#include <optional>
#include <pthread.h>

namespace teff {
namespace {

// The value of `auto`.
constinit unsigned automatic_threads = 0;
pthread_once_t automatic_found = PTHREAD_ONCE_INIT;

// A value that fits its row.
struct checked_value {
    long integer = 0;
    bool cut_down = false;
};

std::optional<std::size_t> find_choice(const option_row& about, std::string_view value) noexcept {
    for (std::size_t index = 0; index < about.choices.size(); ++index)
        if (value == about.choices[index].name)
            return index;
    return std::nullopt;
}

std::optional<checked_value> check_integer(const option_row& about, std::string_view value) noexcept {
    const auto number = parse_number(value);
    if (!number) {
        if (value == about.usual.text)
            return checked_value{};
        if (const auto choice = find_choice(about, value))
            return checked_value{-1 - static_cast<long>(*choice)};
        return std::nullopt;
    }
    if (*number < about.minimum)
        return std::nullopt;
    return checked_value{std::min(*number, about.maximum), *number > about.maximum};
}

std::optional<checked_value> check_choice(const option_row& about, std::string_view value) noexcept {
    const auto found = find_choice(about, value);
    return found ? std::optional(checked_value{static_cast<long>(*found)}) : std::nullopt;
}

std::optional<checked_value> check_text(const option_row& about, std::string_view value) noexcept {
    const bool usable = value == about.usual.text || (value.size() <= max_option_text && about.accepts(value));
    return usable ? std::optional(checked_value{}) : std::nullopt;
}

std::optional<checked_value> check(const option_row& about, std::string_view value) noexcept {
    switch (about.type) {
    case option_type::integer: return check_integer(about, value);
    case option_type::choice: return check_choice(about, value);
    case option_type::text: break;
    }
    return check_text(about, value);
}

// The name of the option, as it is written where the value came from.
void add_label(bounded_text& message, const option_row& about, origin from) noexcept {
    if (from == origin::variable) {
        message.add(about.variable);
    } else if (from == origin::flag) {
        message.add("--");
        for (const char character : std::string_view(about.name))
            message.add(character == '_' ? '-' : character);
    } else {
        message.add("option ").add(about.name);
    }
}

void add_choices(bounded_text& message, const option_row& about, std::string_view value) noexcept {
    nearest_name nearest(value);
    const char* meant = nullptr;
    message.add("one of");
    const char* separator = " ";
    for (const named_choice& each : about.choices) {
        message.add(separator).add(each.name);
        separator = ", ";
        if (nearest.offer(each.name))
            meant = each.name;
    }
    if (meant != nullptr)
        message.add(" (did you mean ").add(meant).add("?)");
}

void add_allowed(bounded_text& message, const option_row& about, std::string_view value) noexcept {
    switch (about.type) {
    case option_type::integer:
        message.add("a whole number from ").add(about.minimum).add(" to ").add(about.maximum);
        if (!parse_number(about.usual.text))
            message.add(" or ").add(about.usual.text);
        for (const named_choice& each : about.choices)
            message.add(" or ").add(each.name);
        return;
    case option_type::choice: return add_choices(message, about, value);
    case option_type::text: break;
    }
    message.add(about.usual.text).add(" or of the form \"").add(about.form).add('"');
}

void explain(std::span<char> storage, const option_row& about, std::string_view value, origin from) noexcept {
    bounded_text message(storage);
    add_label(message, about, from);
    message.add(": ").quote(value).add(" is not ");
    add_allowed(message, about, value);
}

void warn_cut_down(const option_row& about, std::string_view value, origin from) noexcept {
    std::array<char, option_message_size> storage;
    bounded_text message(storage);
    add_label(message, about, from);
    message.add(": ").quote(value).add(" is above the largest value; ").add(about.maximum).add(" is used instead");
    warn("%s", storage.data());
}

}  // namespace

const char* name_of(origin from) noexcept {
    switch (from) {
    case origin::variable: return "variable";
    case origin::flag: return "flag";
    case origin::api: return "api";
    case origin::built_in: break;
    }
    return "default";
}

long configuration::integer(option which) const noexcept {
    const option_row& about = row(which);
    if (where(which) != origin::built_in)
        return integers_[index_of(which)];
    const auto value = check(about, about.usual.text);
    return value ? value->integer : 0;
}

std::string_view configuration::text(option which) const noexcept {
    const option_row& about = row(which);
    const long value = integers_[index_of(which)];
    if (where(which) == origin::built_in)
        return about.usual.text;
    if (about.type == option_type::integer)
        return value < 0 ? about.choices[static_cast<std::size_t>(-1 - value)].name : about.usual.text;
    if (about.type == option_type::choice)
        return about.choices[static_cast<std::size_t>(value)].name;
    const text_value& given = texts_[text_options_before(which.place())];
    return {given.characters.data(), given.length};
}

std::string_view configuration::display(option which, std::span<char> storage) const noexcept {
    const option_row& about = row(which);
    const bool is_word = about.type != option_type::integer || where(which) == origin::built_in ||
                         integer(which) < 0 || (integer(which) == 0 && !parse_number(about.usual.text));
    return is_word ? text(which) : bounded_text(storage).add(integer(which)).view();
}

bool configuration::set(option which, std::string_view value, origin from, char* error,
                        std::size_t error_size) noexcept {
    const std::span<char> reason(error, error_size);
    const option_row& about = row(which);
    value = trim(value);
    const auto checked = check(about, value);
    if (!checked) {
        explain(reason, about, value, from);
        return false;
    }
    bounded_text(reason).add("");
    if (checked->cut_down)
        warn_cut_down(about, value, from);
    if (from < where(which))
        return true;
    integers_[index_of(which)] = checked->integer;
    origins_[index_of(which)] = from;
    if (about.type == option_type::text) {
        text_value& text = texts_[text_options_before(which.place())];
        text.length = value.copy(text.characters.data(), text.characters.size());
    }
    return true;
}

bool configuration::set(option which, long value, origin from, char* error, std::size_t error_size) noexcept {
    std::array<char, 24> storage;
    return set(which, bounded_text(storage).add(value).view(), from, error, error_size);
}

unsigned thread_count(const configuration& settings) noexcept {
    const auto asked = static_cast<unsigned>(settings.integer("threads"));
    if (asked != 0)
        return asked;
    ::pthread_once(&automatic_found,
                   [] { automatic_threads = std::min(default_thread_count(), static_cast<unsigned>(max_threads)); });
    return automatic_threads;
}

}  // namespace teff
