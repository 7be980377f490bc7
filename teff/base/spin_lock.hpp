// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lock of one word that is held for a few instructions, or while a fiber is left. A thread that waits for it spins,
// and later yields its processor. To take and release it costs one read-modify-write; a mutex costs two, since the
// thread that unlocks it must learn whether another one sleeps.
//
// Another thread, or the same thread on another stack, may release it. From then on the lock may be destroyed.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/scoped_lock.hpp>

namespace teff {

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

}  // namespace teff
