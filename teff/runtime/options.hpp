// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the options are set to, and who set them.
//
// In rising precedence: built-in default, TEFF_* variable, flag of the command, API. A value in a variable that cannot
// be used never stops the program: one warning names the variable, the value and what is used. From a flag or the API
// it is an error, whose text names the option, the value and what is allowed. Both see the same rule: a number above
// the largest allowed one is cut down to it, with a warning; any other value outside of an option's row cannot be used.
//
// A configuration is a plain value: copy it, change the copy by set(), hand it on. One thread at a time may change an
// object; any number may read one that nobody changes. Nothing here allocates or throws.
#pragma once

#include <teff/runtime/option_table.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

namespace teff {

// Where a value comes from, in rising precedence.
enum class origin : unsigned char { built_in, variable, flag, api };

// "default", "variable", "flag" or "api".
[[nodiscard]] const char* name_of(origin) noexcept;

// Large enough for every message about an option.
inline constexpr std::size_t option_message_size = 512;

class configuration {
public:
    // Everything at its built-in default.
    constexpr configuration() noexcept = default;

    // The value of an integer option (0 for a word such as `auto`), or the place of a choice in its list; 0 for a text.
    [[nodiscard]] long integer(option which) const noexcept;

    // The value of a choice or text option; of an integer option its default as written in the table. The view is good
    // until the object is changed or gone; for a choice it ends with a zero byte and is good for ever.
    [[nodiscard]] std::string_view text(option which) const noexcept;

    // Who set the value.
    [[nodiscard]] origin where(option which) const noexcept { return origins_[index_of(which)]; }

    // The value as a user would write it. `storage` (32 bytes are enough) is used for numbers.
    [[nodiscard]] std::string_view display(option which, std::span<char> storage) const noexcept;

    // Sets `which` to `value` on behalf of `from` (any but built_in); blanks around the value do not count. A value
    // from a lower origin than the present one is checked but changes nothing. A number above the largest is cut down
    // with a warning on stderr. Returns false, with nothing changed and the reason in `error` (cut off at `error_size`,
    // option_message_size is enough; may be nullptr if 0), if the value cannot be used; otherwise `error` is "".
    [[nodiscard]] bool set(option which, std::string_view value, origin from, char* error,
                           std::size_t error_size) noexcept;

    // The same for a number.
    [[nodiscard]] bool set(option which, long value, origin from, char* error, std::size_t error_size) noexcept;

private:
    static constexpr std::size_t index_of(option which) noexcept { return which.place(); }

    // The only option of type text has its value here; more of them would need an array.
    static constexpr option text_option = "topology";

    std::array<long, option_count> integers_{};
    std::array<origin, option_count> origins_{};
    std::array<char, max_option_text> text_{};
    std::size_t text_length_ = 0;
};

// The configuration of this process: the defaults and the variables at the time of the first call (none of them if the
// program runs with more rights than its user). Later changes of the environment do not count. Any thread may call it,
// but like getenv() the first call must not run while another thread changes the environment.
[[nodiscard]] const configuration& process_configuration() noexcept;

// Takes over the TEFF_* variables among `environment`, an array of "NAME=value" that ends with nullptr. Warns on stderr
// of every value that cannot be used and of every TEFF_* name that is no option. Of a repeated name the first counts.
void read_environment(configuration& result, const char* const* environment) noexcept;

// The number of threads to use: the option, or for `auto` default_thread_count(), at most max_threads. That is found
// once, at the first question, so that starting parallel work does not read files each time. Any thread may call it.
[[nodiscard]] unsigned thread_count(const configuration& settings) noexcept;

}  // namespace teff
