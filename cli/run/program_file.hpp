// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The facts in a program's file about how it will be loaded: the few parts of an ELF file that decide whether another
// library can be loaded into the program, or the interpreter of a script.
//
// The file comes from outside and may be damaged: every offset in it is checked against the size of the file before it
// is followed, and a part that cannot be read counts as absent.
// Rejected: libelf, a dependency of the command for a page of code; to ask the loader (LD_TRACE_LOADED_OBJECTS), which
// answers for programs that it can load and says nothing about the others.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace teff::cli {

enum class program_kind {
    elf,
    script,      // begins with #!
    other,       // text without #!, which a shell runs
    unreadable,  // may be executed and not read
};

struct program_file {
    program_kind kind = program_kind::other;
    std::filesystem::path path;

    // For a script: the interpreter in its first line.
    std::string interpreter;

    // For an ELF file.
    bool is_64_bit = false;
    bool is_for_this_processor = false;
    std::string loader;               // the program interpreter; none if it is linked statically
    std::string own_name;             // the name of a shared library (DT_SONAME)
    std::vector<std::string> needed;  // the libraries that it asks for (DT_NEEDED)
    bool searches_own_folders_first = false;  // DT_RPATH, which comes before LD_LIBRARY_PATH
    bool contains_openmp = false;     // defines functions of an OpenMP runtime itself
};

[[nodiscard]] program_file read_program_file(const std::filesystem::path& path);

// The file that the system loads when `path` is executed: the program itself, or the interpreter of a script, or that
// of its interpreter. What the system would refuse because it goes on for too long ends with a script.
[[nodiscard]] program_file read_loaded_file(const std::filesystem::path& path);

}  // namespace teff::cli
