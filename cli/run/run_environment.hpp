// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment of a program that `teff run` or `teff trace` starts: the one of the command, with the variables that
// put Teff's OpenMP runtime in the place of others, and those that the options stand for.
//
//   LD_PRELOAD         the runtime before all other libraries, whatever the program asks for. What was there stays,
//                      behind it: the variable is not ours alone.
//   LD_LIBRARY_PATH    its folder before all others, so that it is also what libgomp.so.1, libomp.so.5 and libiomp5.so
//                      name. Without that, a process would load another runtime beside it, for nothing.
//   TEFF_NUM_THREADS and OMP_NUM_THREADS    both, so that a list in an inherited OMP_NUM_THREADS has no effect, and
//                      what the program does by Teff's own interface has this number of threads, too
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace teff::cli {

// Empty members leave the variables as they are. Without a runtime those of the loader stay, too.
struct run_settings {
    std::filesystem::path runtime;  // lib/teff/libomp.so.5
    std::string scheduler;
    std::string tracker;
    std::string threads;
    bool verbose = false;
    bool preloads = true;
    // For `teff trace`: the file for the record, and how much it has room for.
    std::string trace;
    std::string trace_events;
};

// `inherited` is an array of "NAME=value" that ends with nullptr. Throws launch_error if the runtime lies in a folder
// that the loader's variables cannot name.
[[nodiscard]] std::vector<std::string> environment_of(const char* const* inherited, const run_settings& settings);

}  // namespace teff::cli
