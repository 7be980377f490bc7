// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How the threads of a team combine their partial results. The compiler offers two ways, atomic operations and code
// under a lock, and the runtime chooses. A tree of threads would make each wait for another one; these do not wait for
// threads that are still at work.
#pragma once

#include <teff/frontends/openmp/core/lock.hpp>
#include <teff/frontends/openmp/core/place.hpp>

namespace teff::openmp {

enum class combination_way : unsigned char {
    alone,   // nothing else combines
    locked,  // under a lock, until end_combination()
    atomic,  // by atomic operations
};

// variables: how many there are. has_atomics: whether the compiler offers them.
inline combination_way begin_combination(place& here, unsigned variables, bool has_atomics, lock& exclusion) noexcept {
    // Each atomic operation may have to fetch its variable from another processor, as the lock and the variables under
    // it have to be.
    constexpr unsigned most_atomics = 3;
    combination_way way = combination_way::alone;
    if (here.size > 1)
        way = has_atomics && variables <= most_atomics ? combination_way::atomic : combination_way::locked;
    if (way == combination_way::locked) {
        exclusion.acquire();
        here.holds_combination_lock = true;
    }
    return way;
}
inline void end_combination(place& here, lock& exclusion) noexcept {
    if (!here.holds_combination_lock)
        return;
    here.holds_combination_lock = false;
    exclusion.release();
}

}  // namespace teff::openmp
