// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of a runner:
//   --kernel K [--kind threads] [--size S] [--variant V] [--threads N] [--scheduler S] [--tracker T] [--reclaimer R]
//       [--cutoff N] [--input FILE] [--counters] [--hardware-counters] [--pace N]
//   --describe                                       all kernels, their variants and sizes
//   --describe --kernel K [--size S] [--variant V]   how much memory one run would need
//   --calibrate                                      measures the pace (iterations of delay() per microsecond,
//                                                    delay.hpp), which runs with timed tasks get as --pace
// A flag and its value are two arguments, or one with an equal sign between them. The command `teff bench` starts
// runners, not a person, so there are no abbreviations and there is no help page.
#pragma once

#include <bench/harness/kernel.hpp>

namespace bench {

struct command_line {
    bool describe = false;
    bool calibrate = false;
    std::string kernel;       // with `describe`, empty means all kernels
    std::string kind;         // "threads", or any other text: the kernels of all other kinds have different names
    parameters run;
};

// Throws usage_error if a flag is unknown, lacks its value or has a value out of range.
command_line parse_command_line(int count, const char* const* arguments);

}  // namespace bench
