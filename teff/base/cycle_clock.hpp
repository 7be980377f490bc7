// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Time in cycles of the processor's time-stamp counter, for options that the literature gives in cycles.
//
// The counter of today's x86-64 processors runs at one speed, whatever their cores do, but no instruction tells on
// every machine which. So it is measured, once in a process and when somebody asks, by looking at both clocks for a
// fifth of a millisecond. Where there is no such counter, or its speed makes no sense, a cycle is a nanosecond.
//
// Any thread may call both functions.
#pragma once

#include <cstdint>

namespace teff {

// Cycles since some fixed moment.
std::int64_t cycle_count() noexcept;

// How long so many cycles take, in nanoseconds; cycles >= 0.
std::int64_t ns_of_cycles(std::int64_t cycles) noexcept;

}  // namespace teff
