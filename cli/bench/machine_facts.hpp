// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The origin of results, for their readers: machine, system, compilers, libraries, command.
//
// The compilers are those that built the runners, read from the runners' files (the .comment section). The libraries
// are those that the dynamic loader would load for each runner, found by tracing it; so a peer's library that was put
// in front by LD_LIBRARY_PATH is reported as the one that is really used. A fact that cannot be found out is null,
// never guessed.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <cli/bench/catalogue.hpp>

namespace teff::cli {

// The object for the key "machine". `command_line` is the command line of this program.
[[nodiscard]] nlohmann::ordered_json machine_facts(const catalogue& found, const std::string& command_line);

// The name of the processor in the text of /proc/cpuinfo; empty if the text has none.
[[nodiscard]] std::string processor_name(const std::string& cpuinfo);

// "GCC: (Debian 12.2.0-14) 12.2.0" or "clang version 19.1.7 ..." from the bytes of a program; empty if not found.
[[nodiscard]] std::string compiler_version(const std::string& program_bytes, const std::string& compiler);

// The path of the library whose name begins with `name_begin`, from the loader's trace of a program; empty if not
// found.
[[nodiscard]] std::string traced_library(const std::string& trace, const std::string& name_begin);

// The commit that this program was built from, with `-dirty` if files had been changed since; empty if unknown.
[[nodiscard]] const char* built_commit();

}  // namespace teff::cli
