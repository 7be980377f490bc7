// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the variables of the environment. A value that cannot be used gets one line on stderr, and the variable counts
// as not set.
#pragma once

#include <teff/frontends/openmp/core/environment/variables.hpp>

#include <array>
#include <string_view>

namespace teff::openmp::environment {

inline constexpr unsigned most_variables = 96;

// What was read. `texts` has a text for each row of the table whose variable is set and valid; its data() is nullptr
// for the others. The texts are those of the environment, or of `defaults`.
struct reading {
    settings values;
    std::array<std::string_view, most_variables> texts{};

    bool has(std::string_view name) const noexcept { return text_of(name).data() != nullptr; }
    std::string_view text_of(std::string_view name) const noexcept {
        const unsigned row = find_variable(name);
        return row == no_variable ? std::string_view() : texts[row];
    }
};

// Asks `value_of(variable)` for each variable; nullptr: it is not set.
using value_source = const char* (*)(const char* variable) noexcept;
void read(reading& result, value_source value_of) noexcept;
// Takes one more value, which replaces an earlier one. False: there is no such variable, or the value cannot be used.
bool take(reading& into, std::string_view variable, std::string_view text) noexcept;

// Weighs the variables that mean the same against each other, so that `values` then has what is in force: the number of
// threads, levels, limits, binding, times to wait and stack sizes.
void resolve(reading& result, unsigned processors) noexcept;

}  // namespace teff::openmp::environment
