// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The settings of one run, as words of the command line: KERNEL FACE [NAME=VALUE]...
//
//   machine=1x16 threads=N scheduler=NAME tracker=NAME size=N seed=N runs=N
//   sites=N of=transfers|accesses watch=THREAD, and the costs of the machine by their names
//   busy=N: the last N processors run other programs all the time, and the process does not know
#pragma once

#include <simulator/machine.hpp>
#include <simulator/workload.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace simulator {

struct settings {
    std::string_view kernel, face;
    machine on;
    request how;
    std::uint64_t seed = 1;
    unsigned runs = 1;
    std::size_t sites = 0;
    bool counts_accesses = false;     // `sites` are of all accesses
    std::optional<unsigned> watched;  // the thread whose transfers `sites` counts, if not all
};

// Ends the program with a message and status 125: `teff simulate` checks what users write.
[[noreturn]] void refuse(const std::string& what);

settings read_settings(int count, char** arguments);
const workload& find_workload(const settings& chosen);

// Prints the members of a JSON object that describe the run, without the braces.
void print_run(const settings& chosen, std::uint64_t tasks, double ns);

}  // namespace simulator
