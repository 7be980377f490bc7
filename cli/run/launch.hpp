// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common parts of the commands that start a program: their options, the search for the program, and its execution
// in place of this process.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include <teff/options/options.hpp>

namespace teff::cli {

// Why a program was not started, with the exit status that shells and env(1) use for the reason.
class launch_error : public std::runtime_error {
public:
    static constexpr int own_failure = 125;
    static constexpr int not_executable = 126;
    static constexpr int not_found = 127;

    launch_error(int status, const std::string& text) : std::runtime_error(text), status_(status) {}
    [[nodiscard]] int status() const noexcept { return status_; }

private:
    int status_;
};

// Finds the file of a program by the name that the user wrote, as a shell does: a name with a slash is a path; any
// other name is searched for in the folders of PATH. Returns the first executable file that `name` denotes. Throws
// launch_error with status 127 if there is no file of this name, and with 126 if there are such files but none may be
// executed. folders: the value of PATH; an empty part of it is the current folder.
[[nodiscard]] std::filesystem::path find_program(const std::string& name, const std::string& folders);

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
