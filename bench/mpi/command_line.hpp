// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of teff-mpi-bench, for a person and for the command `teff bench`:
//   KERNEL [--runtime R] [--size S] [--variant V] [--threads N] [--scheduler S] [--reclaimer R] [--cutoff N]
//       [--input FILE] [--chunk N] [--random-victims N] [--poll-interval N] [--repeat N] [--alone] [--json]
//       [--counters]
//   --describe             all programs, their variants and sizes
//   KERNEL ... --describe  how much memory one rank would need
// All ranks have the same arguments, so all make the same mistake alike.
#pragma once

#include <bench/mpi/program.hpp>

#include <string>

namespace bench::mpi {

struct command_line {
    std::string kernel;  // empty with --describe: all programs
    std::string runtime = teff_runtime;
    long repeat = 1;
    bool describe = false;
    bool json = false;      // rank 0 prints one line of JSON, as a runner
    bool counters = false;  // JSON: with what the system counted
    run_settings asked;
};

// The result refers to the arguments. Throws usage_error.
command_line parse(int count, char** arguments);

}  // namespace bench::mpi
