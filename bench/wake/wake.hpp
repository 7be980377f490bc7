// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long it takes an idle runtime to help: from the call of a parallel loop to the first iteration on another thread.
//
// Before each loop the caller works alone for the idle time. A loop has 64 iterations of 10 us; one that nobody helps
// with counts with the whole time of the loop. A size is LOOPSxIDLE_US, such as 100x5000.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <functional>

namespace bench {

extern const kernel_description wake_description;

outcome run_wake(const parameters& p);

}  // namespace bench

namespace bench::wake {

inline constexpr unsigned iterations = 64;

using iteration = std::function<void()>;

// Measures loop(iterate), which shall call iterate() so many times, in parallel.
outcome measured(const parameters& p, const std::function<void(const iteration&)>& loop);

}  // namespace bench::wake
