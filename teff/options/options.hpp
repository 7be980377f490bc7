// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of the options, and the origin of each value.
//
// Origins in rising precedence: built-in default, TEFF_* variable, flag of the command, API. An unusable value in a
// variable never stops the program: one warning names the variable, the value and the value that is used instead. From
// a flag or the API an unusable value is an error, whose text names the option, the value and the allowed values. The
// same rule holds for all origins: a number above the largest allowed one is cut down to it, with a warning; any other
// value that the option's row does not allow is unusable.
//
// A configuration is a plain value: copy it, change the copy by set(), pass it on. One thread at a time may change an
// object; any number of threads may read an object that no thread changes. Nothing here allocates or throws.
#pragma once

#include <teff/options/option_table.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace teff {

// The origin of a value, in rising precedence.
enum class origin : unsigned char { built_in, variable, flag, api };

// "default", "variable", "flag" or "api".
[[nodiscard]] const char* name_of(origin) noexcept;

// Large enough for every message about an option.
inline constexpr std::size_t option_message_size = 512;

class configuration {
public:
    // Everything at its built-in default.
    constexpr configuration() noexcept = default;

    // The value of an integer option (0 for the word of the default, such as `auto`; -1, -2 and so on for its choices),
    // or the index of a choice in its list; 0 for a text.
    [[nodiscard]] long integer(option which) const noexcept;

    // The value of a choice or text option; for an integer option, its word, or else its default as written in the
    // table. The view is valid until the object is changed or destroyed; for a choice it is zero-terminated and valid
    // for ever.
    [[nodiscard]] std::string_view text(option which) const noexcept;

    // The origin of the value.
    [[nodiscard]] origin where(option which) const noexcept { return origins_[index_of(which)]; }

    // The value as a user would write it. `storage` (32 bytes are enough) is used for numbers.
    [[nodiscard]] std::string_view display(option which, std::span<char> storage) const noexcept;

    // Sets `which` to `value` with the origin `from` (any but built_in); blanks around the value are ignored. A value
    // from a lower origin than the present one is checked but changes nothing. A number above the largest is cut down
    // with a warning on stderr. Returns false if the value is unusable, with nothing changed and the reason in `error`
    // (cut off at `error_size`; option_message_size is enough; may be nullptr if the size is 0). Otherwise `error` is
    // set to "".
    [[nodiscard]] bool set(option which, std::string_view value, origin from, char* error,
                           std::size_t error_size) noexcept;

    // The same for a number.
    [[nodiscard]] bool set(option which, long value, origin from, char* error, std::size_t error_size) noexcept;

private:
    static constexpr std::size_t index_of(option which) noexcept { return which.place(); }

    struct text_value {
        std::array<char, max_option_text> characters{};
        std::size_t length = 0;
    };

    std::array<long, option_count> integers_{};
    std::array<origin, option_count> origins_{};
    std::array<text_value, text_options_before(option_count)> texts_{};  // of the options of type text, in order
};

// The configuration of this process: the defaults and the variables at the time of the first call (no variables if the
// program runs with more rights than its user). Later changes of the environment have no effect. Any thread may call
// it, but as with getenv() the first call must not run while another thread changes the environment.
[[nodiscard]] const configuration& process_configuration() noexcept;

// Applies the TEFF_* variables in `environment`, an array of "NAME=value" that ends with nullptr. Warns on stderr of
// every unusable value and of every TEFF_* name that is not an option. If a name is repeated, the first one is used.
void read_environment(configuration& result, const char* const* environment) noexcept;

// The number of threads to use: the option, or for `auto` default_thread_count(), at most max_threads. The latter is
// determined once, at the first call, so that starting parallel work does not read files each time. Any thread may call
// it.
[[nodiscard]] unsigned thread_count(const configuration& settings) noexcept;

}  // namespace teff
