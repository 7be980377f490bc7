// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How soon an idle runtime helps: the time from the call of a parallel loop to the first iteration on another thread.
//
// Before each loop the caller works alone for the idle time. A loop has 64 iterations of 10 us. A loop that no other
// thread helps with counts with its whole time. A size is LOOPSxIDLE_US, such as 100x5000.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstdint>
#include <functional>

namespace bench::wake {

inline constexpr unsigned iterations = 64;

using iteration = std::function<void()>;

// Measures loop(iterate), which must call iterate() `iterations` times, in parallel.
outcome measured(const parameters& p, const std::function<void(const iteration&)>& loop);

}  // namespace bench::wake
