// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff info`: what the runtime detects here and which settings it would use. Runs no work.
//
//   teff info                version, machine, effective configuration and where each value came from
//   teff info --schedulers   every scheduler with a sentence and its traits, every reclaimer with a sentence
//   teff info --options      the option table
//
// It calls the same functions that the runtime calls when work starts, so it prints what a program would get in the
// same environment. It starts no worker.
#pragma once

#include <CLI/CLI.hpp>

namespace teff::cli {

struct info_request {
    bool schedulers = false;
    bool options = false;
};

CLI::App* add_info_command(CLI::App& app, info_request& request);

// Returns the exit status.
[[nodiscard]] int run_info(const info_request& request);

}  // namespace teff::cli
