// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether Teff's OpenMP runtime can be active in a program, as far as its file tells before it is started.
//
// The runtime is preloaded, so that its functions come before those of every other library of the process. That fails
// for a program that loads no libraries, or none of this kind; for one that the loader protects from its user; and for
// one that has the functions of another runtime inside. Another runtime that is loaded as a library does no harm, since
// its functions come later; it is only mentioned.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <cli/run/program_file.hpp>

namespace teff::cli {

struct findings {
    // Why the runtime cannot be active, and what to do about it. At most one: it is enough.
    std::string obstacle;
    // What is worth knowing.
    std::vector<std::string> notes;
    // The program insists that another library comes first. LD_LIBRARY_PATH is enough for those that ask for a runtime.
    bool forbids_preloading = false;
};

// `file` is what the system loads (read_loaded_file).
[[nodiscard]] findings examine(const program_file& file);

}  // namespace teff::cli
