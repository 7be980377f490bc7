// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The delay task (X-OpenMP, section 5.1): a loop that increments a variable a given number of times. A calibration
// loop derives that number from the intended length of the task.
//
// The loop is compiled out of line, once per compiler. Its speed, the pace, is measured once per comparison: the
// command lets one runner measure it and passes the result to all runners, so that 100 ns means the same in every
// run. The variable stays in a register, and an asm statement hides its value from the optimiser at each step. So an
// iteration takes one cycle on current machines with either compiler, which is fine enough to tell a task of 1 ns
// from one of 2 ns.
// Rejected: a volatile variable. Its iteration takes 4 to 6 cycles or one cycle, depending on the processor's store
// forwarding.
#pragma once

#include <cstdint>

namespace bench {

void delay(std::uint64_t iterations);

// A loop over a volatile variable, as in the producers/consumers benchmark of OMPi (section 4.1). It has no pace,
// because that benchmark gives the length in iterations.
void dummy_loop(std::uint64_t iterations);

// Iterations of delay() per microsecond: the fastest of several trials, since a disturbance can only slow a trial
// down.
std::uint64_t measured_pace();

// The number of iterations that take this many nanoseconds; at least 1 if `nanoseconds` is at least 1.
std::uint64_t delay_iterations(std::uint64_t pace, std::uint64_t nanoseconds);

}  // namespace bench
