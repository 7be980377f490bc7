// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two locks of one word, and a scope that holds one.
//
//   spin_lock   held for a few instructions, or while a fiber is left: a waiting thread spins, and later yields
//   mutex       for rare paths (the list of teams, starting threads): a waiting thread sleeps
//
// To take and release a spin lock costs one read-modify-write; a mutex costs two, since the thread that unlocks it must
// learn whether another one sleeps. Neither needs initialisation at run time or a destructor. For this reason the mutex
// replaces std::mutex in objects that outlive static destruction and survive fork().
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/sanitizers.hpp>

namespace teff {

template <class Lock>
class scoped_lock {
public:
    explicit scoped_lock(Lock& held) noexcept : held_(held) { held_.lock(); }
    ~scoped_lock() { held_.unlock(); }
    scoped_lock(const scoped_lock&) = delete;
    scoped_lock& operator=(const scoped_lock&) = delete;

private:
    Lock& held_;
};

// Another thread, or the same thread on another stack, may release it. From then on the lock may be destroyed.
class spin_lock {
public:
    constexpr spin_lock() noexcept = default;
    spin_lock(const spin_lock&) = delete;
    spin_lock& operator=(const spin_lock&) = delete;

    void lock() noexcept {
        for (backoff wait; !try_lock();) {
            // relaxed: a hint, so that the line is not written while another thread holds the lock.
            while (is_held_.load(std::memory_order_relaxed))
                wait.pause();
        }
    }
    bool try_lock() noexcept {
        // acquire: sees what the last holder did; partner: the release in unlock().
        const bool is_ours = !is_held_.exchange(true, std::memory_order_acquire);
        if (is_ours)
            sanitizers::happens_after(is_held_.address());
        return is_ours;
    }
    void unlock() noexcept {
        sanitizers::happens_before(is_held_.address());
        // release: the next holder sees what we did; partner: the acquire in try_lock().
        is_held_.store(false, std::memory_order_release);
    }

private:
    atomic<bool> is_held_{false};
};

// States: 0 free, 1 held, 2 held and a thread may sleep on it. No thread waits for a mutex that is held while user code
// runs: such a mutex is only tried (try_lock()).
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
