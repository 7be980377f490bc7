// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff run`: starts a program that was compiled for another OpenMP runtime on Teff's, unmodified.
//
//   teff run [--scheduler S] [--tracker T] [--threads N] [--verbose] [--] PROGRAM [ARGUMENT...]
//
// The command sets the environment and then becomes the program (exec): so the process number, signals, the terminal
// and the exit status are the program's own. A shell shows 128 + N for a program that ended by signal N. If the program
// is not started, the exit status is 125 (an error of this command or of its use), 126 (found, but it cannot be
// executed) or 127 (not found), as with env(1).
//
// If the program's file shows that it cannot use the runtime, the command says why in one line, and then runs the
// program without Teff. With --verbose the command reports its steps, and the runtime reports in one line, when it is
// first used, that it is active.
#pragma once

#include <CLI/CLI.hpp>

#include <cli/run/launch.hpp>

namespace teff::cli {

struct run_request : launch_request {
    bool verbose = false;
};

CLI::App* add_run_command(CLI::App& app, run_request& request);

// Moves the program and its arguments from the command line into the request, so that the parser does not take them for
// words of this command. Returns how many words are left. Any other command's words stay as they are.
[[nodiscard]] int separate_program(const CLI::App& command, int count, const char* const* words,
                                   launch_request& request);

// Does not return if the program was started. Throws launch_error, or usage_error for a wrong value of an option.
[[noreturn]] void run_program(const run_request& request);

}  // namespace teff::cli
