// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a row of the option table consists of.
#pragma once

#include <teff/base/named_choice.hpp>
#include <teff/scheduler/settings.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace teff {

// An option, named where it is asked for: settings.integer("spin_us"). The compiler looks the name up among the rows,
// and refuses one that is not there.
class option {
public:
    consteval option(const char* name);
    // The option whose row stands at this place of the table.
    static constexpr option at(std::size_t place) noexcept { return option(in_table{place}); }

    constexpr std::size_t place() const noexcept { return place_; }
    friend constexpr bool operator==(option, option) noexcept = default;

private:
    struct in_table {
        std::size_t place;
    };
    constexpr explicit option(in_table where) noexcept : place_(where.place) {}

    std::size_t place_;
};

enum class option_type {
    integer,  // a whole number from `minimum` to `maximum`, or the word of the default if that is no number
    choice,   // one of the names in `choices`
    text      // what `accepts` accepts, at most max_option_text characters, or the word of the default
};

// Longest value of a text option, in characters.
inline constexpr std::size_t max_option_text = 120;

// Most threads that a program can have; what is asked above it is cut down to it.
inline constexpr long max_threads = 4096;

struct option_row;

// The default of an option, and the field of scheduler_settings that it fills, if it does (field() below).
struct option_default {
    constexpr option_default(const char* written) noexcept : text(written) {}

    const char* text;  // a word as the default of an integer stands for 0
    // Gives the field the value of the option: the number, or the place of a choice in its list.
    void (*fill)(scheduler_settings&, const option_row&, long value) noexcept = nullptr;
};

struct option_row {
    const char* name;          // in the API; as a flag it is --name with dashes for the underscores
    const char* variable;      // in the environment
    option_type type;
    long minimum, maximum;     // integer only
    option_default usual;
    const char* sentence;      // what it does, without a full stop
    std::span<const named_choice> choices = {};            // choice only
    bool (*accepts)(std::string_view) noexcept = nullptr;  // text only
    const char* form = nullptr;                            // text only: how a value looks
    option id = option::at(0);                             // numbered() sets it
};

// The rows of a table, each with its place.
template <std::size_t Count>
consteval std::array<option_row, Count> numbered(option_row (&&rows)[Count]) {
    std::array<option_row, Count> made = std::to_array(rows);
    for (std::size_t place = 0; place < Count; ++place)
        made[place].id = option::at(place);
    return made;
}

// The digits of a number, as a text that ends with a zero byte.
template <unsigned long Number>
inline constexpr auto digits_of = [] {
    std::array<char, 24> backwards{}, text{};
    std::size_t count = 0;
    unsigned long rest = Number;
    do
        backwards[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    for (std::size_t index = 0; index < count; ++index)
        text[index] = backwards[count - 1 - index];
    return text;
}();

// The default that a field of the settings has, in units of `Unit`, and how the option fills the field. `word` is how a
// field is written that is 0, or a name: it must be the field's default.
template <auto Field, long Unit = 1>
consteval option_default field(const char* word = nullptr) {
    using value_type = std::remove_cvref_t<decltype(scheduler_settings{}.*Field)>;
    constexpr value_type usual = scheduler_settings{}.*Field;
    option_default made(word);
    if constexpr (std::is_same_v<value_type, std::string_view>) {
        if (usual != word)
            throw "the settings have another default";
        made.fill = [](scheduler_settings& to, const option_row& about, long value) noexcept {
            to.*Field = about.choices[static_cast<std::size_t>(value)].name;
        };
    } else {
        if (word == nullptr)
            made.text = digits_of<static_cast<unsigned long>(usual) / Unit>.data();
        else if (usual != value_type{})
            throw "the settings have another default";
        made.fill = [](scheduler_settings& to, const option_row&, long value) noexcept {
            to.*Field = static_cast<value_type>(value * Unit);
        };
    }
    return made;
}

}  // namespace teff
