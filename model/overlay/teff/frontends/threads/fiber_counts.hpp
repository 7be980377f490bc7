// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Replaces teff/frontends/threads/fiber_counts.hpp in the model build: fibers are not counted, since the counts have no
// part in the protocols.
#pragma once

#include <atomic>

namespace teff::threads {

struct fiber_tally {
    struct uncounted {
        void store(bool, std::memory_order) const noexcept {}
    };
    uncounted started, ended, blocked, woken, runs_fiber;

    static void add_one(const uncounted&) noexcept {}
    static void subtract_one(const uncounted&) noexcept {}
};

inline constinit fiber_tally no_tally;
inline fiber_tally& own_tally() noexcept { return no_tally; }

}  // namespace teff::threads
