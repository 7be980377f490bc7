// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common parts of the commands that start a program: their options, the search for the program, and its execution
// in place of this process.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <teff/options/options.hpp>

#include <cli/run/program_search.hpp>

namespace teff::cli {

struct launch_request {
    std::optional<std::string> scheduler;
    std::optional<std::string> tracker;
    std::optional<std::string> threads;
    std::vector<std::string> program;  // and its arguments
};

// Adds the program, --scheduler and --tracker. Each command adds its own --threads, which differ in meaning.
void add_launch_options(CLI::App& command, launch_request& request);

// Returns the flag's value in the form of the option's environment variable; empty if the flag was not given. A number
// that is too large is reduced, with a warning. Throws launch_error for an unusable value.
[[nodiscard]] std::string checked_value(option which, const std::optional<std::string>& written);

// Returns Teff's OpenMP runtime, by its place relative to this command in a build or in an installation. Throws
// launch_error if it is not there.
[[nodiscard]] std::filesystem::path find_runtime();

// The folders in which programs are looked for.
[[nodiscard]] std::string search_path();

// Replaces this process by the program. Returns only if the program cannot be executed, with the reason in errno.
void become(const std::filesystem::path& program, std::vector<std::string> words, std::vector<std::string> environment);
// The same reason, as an error of the command.
[[nodiscard]] launch_error not_executed(int error, const std::filesystem::path& program);

}  // namespace teff::cli
