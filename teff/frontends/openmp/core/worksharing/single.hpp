// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The single construct (OpenMP 5.1, section 2.10.2). The threads of a team meet the same single constructs in the same
// order, so each counts those that it has met. The team's counter has the number of the last one that some thread has
// begun: the thread that advances it to its own count executes the block.
#pragma once

#include <teff/frontends/openmp/core/teams/team.hpp>

namespace teff::openmp {

// True: the calling thread executes the block.
inline bool begin_single(place& caller) noexcept {
    if (caller.size == 1)
        return true;
    atomic<unsigned>& begun = caller.in->singles;
    const unsigned before = caller.singles++;
    unsigned expected = before;
    // relaxed, all: it only decides which thread executes the block. (The first look spares late threads the write.)
    return begun.load(std::memory_order_relaxed) == before &&
           begun.compare_exchange_strong(expected, before + 1, std::memory_order_relaxed, std::memory_order_relaxed);
}

}  // namespace teff::openmp
