// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the file of a program by the name that the user wrote, as a shell does: a name with a slash is a path; any
// other name is searched for in the folders of PATH.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

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

// Returns the first executable file that `name` denotes. Throws launch_error with status 127 if there is no file of
// this name, and with 126 if there are such files but none may be executed. folders: the value of PATH; an empty part
// of it is the current folder.
[[nodiscard]] std::filesystem::path find_program(const std::string& name, const std::string& folders);

}  // namespace teff::cli
