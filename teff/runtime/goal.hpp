// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The condition that a thread waits for: a word, or a count of tasks.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/runtime/count_latch.hpp>

namespace teff {

// Reached when the `bits` of `word` are as expected. The thread that makes them so calls the sleepers of the team that
// it is in; or, where there is a count, the threads that watch it.
struct goal {
    const atomic<unsigned>& word;
    unsigned bits = ~0U;
    count_latch* watched = nullptr;
    unsigned expected = 0;

    bool is_reached() const noexcept {
        // acquire: sees what was done; partner: the release of the thread that did it.
        return (word.load(std::memory_order_acquire) & bits) == expected;
    }
};

}  // namespace teff
