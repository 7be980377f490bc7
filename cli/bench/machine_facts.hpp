// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a reader of results must know about where they come from: machine, system, compilers, libraries, command.
//
// The compilers are those that built the runners, as their files tell (the .comment section); the libraries are those
// that the dynamic loader would take for each runner, asked by tracing it, so a peer that was put in place through
// LD_LIBRARY_PATH is seen as what it is. What cannot be found out is null, never guessed.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <cli/bench/catalogue.hpp>

namespace teff::cli {

// The object for the key "machine". command_line is how this program was called.
[[nodiscard]] nlohmann::ordered_json machine_facts(const catalogue& found, const std::string& command_line);

// The name of the processor in the text of /proc/cpuinfo; empty when it is not there.
[[nodiscard]] std::string processor_name(const std::string& cpuinfo);

// "GCC: (Debian 12.2.0-14) 12.2.0" or "clang version 19.1.7 ..." in the bytes of a program; empty when it is not there.
[[nodiscard]] std::string compiler_version(const std::string& program_bytes, const std::string& compiler);

// The path of the library whose name begins so, in the loader's trace of a program.
[[nodiscard]] std::string traced_library(const std::string& trace, const std::string& name_begin);

// The commit that this program was built from, with `-dirty` when files had changed since; empty when unknown.
[[nodiscard]] const char* built_commit();

}  // namespace teff::cli
