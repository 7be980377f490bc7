// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex of one word, for rare paths (the list of teams, starting threads). No thread waits for a mutex that is held
// while user code runs: such a mutex is only tried (try_lock()).
//
// States: 0 free, 1 held, 2 held and a thread may sleep on it. It needs no destructor and no initialisation at run
// time. For this reason it replaces std::mutex in objects that outlive static destruction and survive fork().
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/scoped_lock.hpp>

namespace teff {

class mutex {
public:
    constexpr mutex() noexcept = default;

    void lock() noexcept {
        if (try_lock())
            return;
        // acquire: as in try_lock(); writing "contended" makes the holder wake us.
        while (word_.exchange(contended, std::memory_order_acquire) != free_word)
            futex_wait(word_, contended);
    }

    bool try_lock() noexcept {
        std::uint32_t seen = free_word;
        // acquire: sees what the last holder wrote before unlock()'s release.
        // relaxed on failure: nothing is read before the lock is held.
        return word_.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed);
    }

    void unlock() noexcept {
        const void* address = word_.address();
        // release: publishes our writes; partner: the acquire of the next lock() or try_lock(). From here on the mutex
        // may be destroyed.
        if (word_.exchange(free_word, std::memory_order_release) == contended)
            futex_wake(address, 1);
    }

    // For the child of a fork(), where the thread that held the mutex may not exist.
    void reset_after_fork() noexcept {
        // relaxed: the child has one thread.
        word_.store(free_word, std::memory_order_relaxed);
    }

private:
    static constexpr std::uint32_t free_word = 0, held = 1, contended = 2;
    futex_word word_{free_word};
};

}  // namespace teff
