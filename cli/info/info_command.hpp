// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff info`: what the runtime sees and what it would do here, without doing it.
//
//   teff info                version, machine, effective configuration and where each value came from
//   teff info --schedulers   every scheduler with a sentence and its traits, every reclaimer with a sentence
//   teff info --options      the option table
//
// It asks the same functions as the runtime asks when work starts, so what it prints is what a program would get in
// the same environment. It starts no worker.
#pragma once

#include <CLI/CLI.hpp>

namespace teff::cli {

struct info_request {
    bool schedulers = false;
    bool options = false;
};

CLI::App* add_info_command(CLI::App& app, info_request& request);

// Answers the exit status.
[[nodiscard]] int run_info(const info_request& request);

}  // namespace teff::cli
