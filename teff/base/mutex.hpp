// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex of one word, for the rare paths (the list of teams, starting threads); nobody waits for one that
// is held while user code is called.
//
// States: 0 free, 1 held, 2 held and somebody sleeps. It needs no destructor and no initialiser at run time, which is
// why it is used instead of the standard's in objects that outlive static destruction and survive fork().
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>

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
        // release: hands our writes to the next lock()'s acquire. After it the mutex may be gone.
        if (word_.exchange(free_word, std::memory_order_release) == contended)
            futex_wake(address, 1);
    }

    // In the child of a fork: the holder, if any, does not exist here.
    void reset_after_fork() noexcept {
        // relaxed: the child has one thread.
        word_.store(free_word, std::memory_order_relaxed);
    }

private:
    static constexpr std::uint32_t free_word = 0, held = 1, contended = 2;
    futex_word word_{free_word};
};

class scoped_lock {
public:
    explicit scoped_lock(mutex& m) noexcept : mutex_(m) { mutex_.lock(); }
    ~scoped_lock() { mutex_.unlock(); }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

private:
    mutex& mutex_;
};

}  // namespace teff
