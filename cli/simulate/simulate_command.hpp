// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff simulate`: the library's own sources on a machine of many processors, in virtual time (docs/simulator.md).
//
//   teff simulate                                    every kernel, on 1, 2, 4, 8 and 16 threads of a socket
//   teff simulate fib:24 --scheduler all             one kernel of that size, on every scheduler
//   teff simulate uts --machine 8x24 --lines 8       192 cores, and what makes cache lines move
//   teff simulate --machine mine.json --report out.html
//
// Exit status: 0, also with skips; 1 when a simulation failed (a wrong result, a deadlock), when there is no simulator,
// or when output cannot be written.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <cli/simulate/settings.hpp>

namespace teff::cli {

CLI::App* add_simulate_command(CLI::App& app, simulate_request& request);

// Returns the exit status; throws usage_error. `command_line`: for the page.
[[nodiscard]] int run_simulate(const simulate_request& request, const std::string& command_line);

}  // namespace teff::cli
