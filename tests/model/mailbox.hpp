// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A queue with room for one task, by its number. It orders what came before the task was put in, and nothing else.
#pragma once

#include <teff/base/atomic.hpp>

namespace scenarios {

class mailbox {
public:
    void put(unsigned task) noexcept {
        // release: publishes what came before; partner: the acquire in take().
        word_.store(task + 1, std::memory_order_release);
    }
    bool take(unsigned& task) noexcept {
        // acquire: sees what came before the task was put in; partner: the release in put().
        const unsigned got = word_.exchange(0, std::memory_order_acquire);
        task = got - 1;
        return got != 0;
    }
    // relaxed: a hint.
    bool is_empty() const noexcept { return word_.load(std::memory_order_relaxed) == 0; }

private:
    teff::atomic<unsigned> word_{0};
};

}  // namespace scenarios
