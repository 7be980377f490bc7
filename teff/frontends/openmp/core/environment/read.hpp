// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the variables of the environment, and prints the settings in the form of OMP_DISPLAY_ENV (OpenMP 5.1, section
// 6.12). A value that cannot be used gets one line on stderr, and the variable counts as not set.
#pragma once

#include <teff/frontends/openmp/core/environment/variables.hpp>

#include <array>
#include <string_view>

namespace teff::openmp::environment {

inline constexpr unsigned most_variables = 96;

// The values, and for each row of the table the text of its variable. data() of the text is nullptr if the variable is
// not set or its value is wrong. The texts lie where the source of the values has them.
struct reading {
    settings values;
    std::array<std::string_view, most_variables> texts{};

    bool has(std::string_view name) const noexcept { return text_of(name).data() != nullptr; }
    std::string_view text_of(std::string_view name) const noexcept {
        const unsigned row = find_variable(name);
        return row == no_variable ? std::string_view() : texts[row];
    }
};

// Reads each variable by `value_of(variable)`; nullptr: it is not set.
using value_source = const char* (*)(const char* variable) noexcept;
void read(reading& result, value_source value_of) noexcept;
// Takes one more value, which replaces an earlier one. False: there is no such variable, or the value cannot be used.
bool take(reading& into, std::string_view variable, std::string_view text) noexcept;

// Decides between variables of the same meaning, so that `values` has the values in force: the number of threads,
// levels, limits, binding, waiting times and stack sizes.
void resolve(reading& result, unsigned processors) noexcept;

// Prints the settings, each with its origin. All values of `read` must be resolved. is_verbose: also the variables of
// other runtimes.
void show(int descriptor, const reading& read, bool is_verbose) noexcept;
// The output of KMP_SETTINGS: the variables that are set, then all settings.
void show_settings(int descriptor, const reading& read) noexcept;

}  // namespace teff::openmp::environment
