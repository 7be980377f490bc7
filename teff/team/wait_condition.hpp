// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The condition that a thread waits for: a word, or a count of tasks.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/team/count_latch.hpp>

namespace teff {

// Met when the `bits` of `word` equal `expected`. The thread that makes them equal wakes the sleepers of its own
// team; or, if `watched` is given, the threads that watch that latch.
struct wait_condition {
    const atomic<unsigned>& word;
    unsigned bits = ~0U;
    count_latch* watched = nullptr;
    unsigned expected = 0;

    [[gnu::always_inline]] bool is_met() const noexcept {
        // acquire: sees the work that was awaited; partner: the release by the thread that makes the bits equal.
        const bool is_met = (word.load(std::memory_order_acquire) & bits) == expected;
        if (is_met)
            sanitizers::happens_after(word.address());
        return is_met;
    }
};

}  // namespace teff
