// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads of a team combine their partial results. The compiler offers two ways, atomic operations and code under a
// lock, and the runtime chooses. In neither way does a thread wait for a thread that has not finished its part.
// Rejected: a tree of threads, in which each thread waits for the partial results below it.
#pragma once

#include <teff/frontends/openmp/core/synchronization/lock.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

enum class combination_way : unsigned char {
    alone,   // the team has one thread
    locked,  // under a lock, until end_combination()
    atomic,  // by atomic operations
};

// variables: their number. has_atomics: whether the compiler offers atomic operations.
inline combination_way begin_combination(place& caller, unsigned variables, bool has_atomics,
                                         lock& exclusion) noexcept {
    // Each atomic operation may fetch a cache line from another processor. The lock and the variables under it cost
    // such fetches, too. So atomic operations are the cheaper way only for few variables.
    constexpr unsigned most_atomics = 3;
    combination_way way = combination_way::alone;
    if (caller.size > 1)
        way = has_atomics && variables <= most_atomics ? combination_way::atomic : combination_way::locked;
    if (way == combination_way::locked) {
        exclusion.acquire();
        caller.holds_combination_lock = true;
    }
    return way;
}
inline void end_combination(place& caller, lock& exclusion) noexcept {
    if (!caller.holds_combination_lock)
        return;
    caller.holds_combination_lock = false;
    exclusion.release();
}

}  // namespace teff::openmp
