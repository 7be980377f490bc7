// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers that name fibers in messages: from 1 on, and counting up for the fibers that one thread starts.
#pragma once

#include <cstdint>

namespace teff::threads {

// Any thread.
std::uint64_t next_fiber_number() noexcept;

}  // namespace teff::threads
