// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine that `teff simulate` is asked for: a name such as 1x16 or 8x24x2 (sockets, cores of each, threads of each
// core), or a file.
//
//   {"sockets": 8, "cores": 24, "threads": 1, "costs": {"near_line": 60, "far_line": 140, "smt": 1.6}}
//
// `cores` are those of a socket, `threads` those of a core. Threads and costs may be left out. The costs are those of
// simulator/machine.hpp, in nanoseconds, and `smt`, how many times longer a thread takes while the other thread of its
// core is busy, and sizes of caches in KiB; a cost that is not named has its default.
#pragma once

#include <string>

#include <simulator/machine.hpp>

namespace teff::cli {

// A text that ends in .json or has a slash is the name of a file. Throws usage_error.
[[nodiscard]] simulator::machine read_machine(const std::string& text);

// The machine that the text of a file describes. `file`: its name, for messages. Throws usage_error.
[[nodiscard]] simulator::machine machine_in(const std::string& text, const std::string& file);

// "8 sockets of 24 cores with 2 threads each".
[[nodiscard]] std::string described(const simulator::machine& on);

}  // namespace teff::cli
