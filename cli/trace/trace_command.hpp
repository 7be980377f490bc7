// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `teff trace`: runs a program of Teff or OpenMP with a record of what its threads do (timeline.hpp), and shows it.
//
//   teff trace [-o FILE] [--html FILE] [--summary] [--events N] [--threads N] [--scheduler S] [--tracker T]
//              [--] PROGRAM [ARGUMENT...]
//   teff trace --read FILE [--html FILE]
//
// The program is started as by `teff run`, so that an OpenMP program runs on Teff's runtime; one that is linked with
// Teff and not with OpenMP is left as it is. When it has ended, the record is written to FILE (trace.json if neither
// --html nor --summary is given), for Perfetto, and a summary to standard error, so that the program's own output can
// be a part of a pipe. After Ctrl-C, too: the program's library writes the record before the signal ends the program.
//
// The exit status is the program's, or 128 + N if signal N has ended it; 126 and 127 as those of `teff run`; 125 if the
// command was used wrongly, if a file could not be written before the program ran, or if a program that ended with 0
// has left no record. When the program has run, its status stays, whatever fails: then one message says why, another
// one where the record is.
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include <cli/run/launch.hpp>

namespace teff::cli {

struct trace_request : launch_request {
    std::string output;
    std::string html;
    std::string read;
    std::optional<std::string> events;
    bool summary_only = false;
    bool wide = false;
};

CLI::App* add_trace_command(CLI::App& app, trace_request& request);

// Returns the exit status. Throws launch_error.
[[nodiscard]] int run_trace(const trace_request& request);

}  // namespace teff::cli
