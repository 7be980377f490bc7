// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of a runner:
//   --kernel K [--size S] [--variant V] [--threads N] [--scheduler S] [--reclaimer R] [--cutoff N] [--input FILE]
//       [--counters] [--pace N]
//   --describe                                       all kernels, their variants and sizes
//   --describe --kernel K [--size S] [--variant V]   what one run would need
//   --calibrate                                      the pace of this machine: what to give as --pace
// Every flag's value may also follow an equal sign. A runner is started by the command, not by hand: no abbreviations,
// no help page.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

struct command_line {
    bool describe = false;
    bool calibrate = false;
    std::string kernel;       // empty with describe: all
    parameters run;
};

// usage_error if a flag is unknown, lacks its value or has one out of range.
command_line parse_command_line(int count, const char* const* arguments);

}  // namespace bench
