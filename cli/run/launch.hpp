// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the commands have in common that start a program: its options, how the program is found, and how a process
// becomes the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <teff/runtime/options.hpp>

#include <cli/run/program_search.hpp>

namespace teff::cli {

struct launch_request {
    std::optional<std::string> scheduler;
    std::optional<std::string> tracker;
    std::optional<std::string> threads;
    std::vector<std::string> program;  // and its arguments
};

// The program, --scheduler and --tracker; --threads is each command's own, since it means different things.
void add_launch_options(CLI::App& command, launch_request& request);

// The value that the flag gives the option, as its variable has it; empty if the flag was not given. A number that is
// too large is cut down, with a warning. Throws launch_error for an unusable value.
[[nodiscard]] std::string checked_value(option which, const std::optional<std::string>& written);

// The OpenMP runtime beside the folder of this command, as it is built and as it is installed. Throws launch_error if
// it is not there.
[[nodiscard]] std::filesystem::path find_runtime();

// The folders in which programs are looked for.
[[nodiscard]] std::string search_path();

// Makes this process the program. Returns only if that cannot be executed, with the reason in errno.
void become(const std::filesystem::path& program, std::vector<std::string> words, std::vector<std::string> environment);
// The same reason, as an error of the command.
[[nodiscard]] launch_error not_executed(int error, const std::filesystem::path& program);

}  // namespace teff::cli
