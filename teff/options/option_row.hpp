// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a row of the option table.
#pragma once

#include <teff/base/names.hpp>
#include <teff/scheduler/settings.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <type_traits>

namespace teff {

// An option, given by its name: settings.integer("spin_us"). The compiler looks the name up among the rows and rejects
// an unknown one.
class option {
public:
    consteval option(const char* name);
    // The option whose row has this index in the table.
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
    integer,  // a whole number from `minimum` to `maximum`, the default if that is a word, or one of `choices`
    choice,   // one of the names in `choices`
    text      // a text that `accepts` returns true for, at most max_option_text characters, or the default
};

// Longest value of a text option, in characters.
inline constexpr std::size_t max_option_text = 240;

// The maximum number of threads of a program; larger numbers are cut down to it.
inline constexpr long max_threads = 4096;

struct option_row;

// The default of an option and, if the option sets a field of scheduler_settings, how it sets it (field() below).
struct option_default {
    constexpr option_default(const char* written) noexcept : text(written) {}

    const char* text;  // if the default of an integer is a word, its value is 0
    // Sets the field to the value of the option: the number, or the index of a choice in its list. The choices of an
    // integer have the values -1, -2 and so on.
    void (*fill)(scheduler_settings&, const option_row&, long value) noexcept = nullptr;
};

struct option_row {
    const char* name;          // in the API; as a flag it is --name with dashes for the underscores
    const char* variable;      // in the environment
    option_type type;
    long minimum, maximum;     // integer only
    option_default usual;
    const char* sentence;      // what it does, without a full stop
    std::span<const named_choice> choices = {};            // choice; integer: what is no number
    bool (*accepts)(std::string_view) noexcept = nullptr;  // text only
    const char* form = nullptr;                            // text only: an example of a value
    option id = option::at(0);                             // numbered() sets it
};

// Gives each row of a table its index.
template <std::size_t Count>
consteval std::array<option_row, Count> numbered(option_row (&&rows)[Count]) {
    std::array<option_row, Count> made = std::to_array(rows);
    for (std::size_t place = 0; place < Count; ++place)
        made[place].id = option::at(place);
    return made;
}

// The digits of a number, as a zero-terminated text.
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

// Makes the option_default of an option that sets a field of scheduler_settings, in units of `Unit`. The default is
// that of the field. `word` is the text of a default that is a name, or that is 0 and written as a word; if the field
// has another default, the call does not compile.
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
