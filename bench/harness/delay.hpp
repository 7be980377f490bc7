// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The delay task (X-OpenMP, section 5.1): a loop that increments a variable for a certain number of iterations, which a
// test loop derives from the time that the task shall take.
//
// The loop is compiled out of line, once per compiler, and its speed is measured once per comparison: the command
// has one runner do it and hands the result, the pace, to all. Two runs thus never differ by what they take for 100 ns.
// The variable stays in a register, hidden from the optimiser at each step: an iteration is one cycle on the machines
// of today with either compiler, so that a task of 1 ns can be told from one of 2 ns. Rejected: a volatile variable,
// whose iteration takes 4 to 6 cycles, or one, as the processor's store forwarding likes it.
#pragma once

#include <cstdint>

namespace bench {

void delay(std::uint64_t iterations);

// A loop over a volatile variable, as in the producers' and consumers' benchmark of OMPi (section 4.1). It has no pace:
// there its length is counted in iterations.
void dummy_loop(std::uint64_t iterations);

// Iterations of delay() in a microsecond: the fastest of some trials, because whatever disturbs one makes it slower.
std::uint64_t measured_pace();

// Iterations that take so many nanoseconds, at least 1 for at least 1 ns.
std::uint64_t delay_iterations(std::uint64_t pace, std::uint64_t nanoseconds);

}  // namespace bench
