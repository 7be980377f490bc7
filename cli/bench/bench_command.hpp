// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff bench`: the same work on every runtime, verified, side by side.
//
//   check the command line      settings    (usage_error: status 2, nothing has run)
//   find and query the runners  catalogue
//   make the configurations     plan, pace  (usage_error for kernels, variants and sizes)
//   run them in rounds          rounds, single_run, child_process
//   compare, print, write       comparison, table, results_json, report_html
//
// This process measures nothing itself and starts no threads; it only starts one runner at a time and waits.
#pragma once

#include <string>

#include <CLI/CLI.hpp>

#include <cli/bench/settings.hpp>

namespace teff::cli {

// Declares the subcommand and its options, which fill in the request.
CLI::App* add_bench_command(CLI::App& app, bench_request& request);

// Returns the exit status: 0 on success, even with skips; 1 on a wrong answer or a broken runner. Throws usage_error.
[[nodiscard]] int run_bench(const bench_request& request, const std::string& command_line);

}  // namespace teff::cli
