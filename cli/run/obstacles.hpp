// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether Teff's OpenMP runtime can be active in a program, as far as its file tells before it is started.
//
// The runtime is preloaded, so that its functions come before those of every other library of the process. That fails
// for a program that is linked statically, or built for another processor or C library; for one that runs with more
// rights than its user; and for one that contains the functions of another runtime. Another runtime that is loaded as a
// library does no harm, since its functions come later; it is only mentioned.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <cli/run/program_file.hpp>

namespace teff::cli {

struct findings {
    // The first reason found why the runtime cannot be active, and the remedy; empty: none.
    std::string obstacle;
    // Facts that do not prevent the runtime from being active.
    std::vector<std::string> notes;
    // Whether the program needs another library in the first place (AddressSanitizer), so that the runtime must not be
    // preloaded. A program that asks for an OpenMP runtime then still gets this one, through LD_LIBRARY_PATH.
    bool forbids_preloading = false;
};

// `file` is what the system loads (read_loaded_file).
[[nodiscard]] findings examine(const program_file& file);

}  // namespace teff::cli
