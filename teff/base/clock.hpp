// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two clocks by which waits are measured: monotonic nanoseconds, and cycles of the processor's time-stamp counter,
// for options that the literature gives in cycles.
//
// The counter of current x86-64 processors runs at a constant rate, whatever the frequency of the cores, but no
// instruction reports this rate on every machine. So the first conversion in a process measures it, by reading both
// clocks over a fifth of a millisecond. Where there is no such counter, or the measured rate is implausible, a cycle
// counts as a nanosecond. That is so on aarch64, whose counter has a rate of its own, often a hundredth of a core's.
//
// Any thread may call all functions.
#pragma once

#include <cstdint>
#include <ctime>

namespace teff {

inline std::int64_t monotonic_ns() noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

// Cycles since an arbitrary fixed moment.
std::int64_t cycle_count() noexcept;

// The duration of that many cycles, in nanoseconds; cycles >= 0.
std::int64_t ns_of_cycles(std::int64_t cycles) noexcept;

}  // namespace teff
