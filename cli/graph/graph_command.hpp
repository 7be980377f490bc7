// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff graph`: shows the task graph that a program with dataflow has recorded (TEFF_DATAFLOW_GRAPH=FILE.json).
//
//   teff graph FILE.json                 work, span, parallelism, and a line for each function
//   teff graph FILE.json --svg OUT.svg   also draws it
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace teff::cli {

struct graph_request {
    std::string file;
    std::string svg;
};

CLI::App* add_graph_command(CLI::App& app, graph_request& request);

// Returns the exit status. Throws usage_error, or std::runtime_error if the picture cannot be written.
[[nodiscard]] int run_graph(const graph_request& request);

}  // namespace teff::cli
