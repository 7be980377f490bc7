// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a program on this command's terminal, from start to end, while the command waits for it.
//
// The program is in the process group of the command, so it reads from the terminal and gets Ctrl-C as if it had been
// started from the shell. The command itself outlives SIGINT and SIGQUIT meanwhile, to show what was recorded, and
// passes SIGTERM and SIGHUP on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace teff::cli {

// As a shell shows it: the exit status, or 128 + N after signal N. Throws launch_error if the program cannot be
// executed. One thread at a time.
[[nodiscard]] int run_to_its_end(const std::filesystem::path& program, const std::vector<std::string>& words,
                                 const std::vector<std::string>& environment);

}  // namespace teff::cli
