// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the options of a call to the numbers that a team is made of.
#pragma once

#include <teff/options.hpp>
#include <teff/scheduler/settings.hpp>

#include <cstddef>

namespace teff {

struct launch {
    scheduler_settings settings;
    std::size_t scheduler;  // its row in scheduler_names
    std::size_t reclaimer;  // its row in reclaimer_names
    long spin_us;
};

// The process's configuration with the call's options on top. Throws std::invalid_argument. Any thread.
launch resolve(const options& call);

// Grows the pool so that a team of `threads` (1..4096) can be full. A call from inside a task shares the workers there
// are and starts none, unless the pool is empty.
void prepare_workers(unsigned threads) noexcept;

}  // namespace teff
