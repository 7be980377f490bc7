// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Mutual exclusion of tasks without waiting threads: a task that does not get the lock is queued at the lock, and
// receives it from a task that unlocks.
//
//   state: 0 free | 1 held | address of the newest waiting task, which links to the older ones; held
//
//                     try_lock   lock_or_wait   unlock    safe together?
//   try_lock             yes          yes         yes     any thread
//   lock_or_wait                      yes         yes     any thread
//   unlock                                         -      the task that holds the lock
// Only the holder takes a waiting task out, so a task cannot leave the list and enter it again while another thread is
// about to take it (ABA). The newest waiting task is next: commutative tasks have no order.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/depend/tracked.hpp>

#include <cstdint>
#include <functional>

namespace teff::depend {

// The part of a task that is queued.
struct exclusion_waiter {
    exclusion_waiter* older = nullptr;
};

class exclusion {
public:
    exclusion() noexcept = default;
    exclusion(const exclusion&) = delete;
    exclusion& operator=(const exclusion&) = delete;

    bool try_lock() noexcept {
        std::uintptr_t seen = free_state;
        // acquire: sees what the last holder did; partner: the release in unlock(). relaxed on failure: nothing is
        // read.
        return state_.compare_exchange_strong(seen, held, std::memory_order_acquire, std::memory_order_relaxed);
    }

    // True: the lock is held. False: another task will hand it to this one; the caller must not touch `self` any more.
    bool lock_or_wait(exclusion_waiter& self) noexcept {
        // relaxed: the compare-and-swap checks the value.
        std::uintptr_t seen = state_.load(std::memory_order_relaxed);
        for (;;) {
            const bool is_free = seen == free_state;
            if (!is_free)
                self.older = seen == held ? nullptr : waiter_of(seen);
            const std::uintptr_t next = is_free ? held : reinterpret_cast<std::uintptr_t>(&self);
            // acquire: as in try_lock(). release: publishes the waiting task; partner: the acquire in unlock().
            // relaxed on failure: tried again.
            if (state_.compare_exchange_weak(seen, next, std::memory_order_acq_rel, std::memory_order_relaxed))
                return is_free;
        }
    }

    // Returns the task that holds the lock now; nullptr if the lock is free.
    exclusion_waiter* unlock() noexcept {
        // acquire: sees the newest waiting task; partner: the release in lock_or_wait().
        std::uintptr_t seen = state_.load(std::memory_order_acquire);
        for (;;) {
            exclusion_waiter* const waiter = seen == held ? nullptr : waiter_of(seen);
            std::uintptr_t next = waiter == nullptr ? free_state : held;
            if (waiter != nullptr && waiter->older != nullptr)
                next = reinterpret_cast<std::uintptr_t>(waiter->older);
            // release: the next holder sees what we did; partners: the acquires in try_lock() and lock_or_wait(). (A
            // waiting task is passed on by this thread.) acquire on failure: as above. On success an acquire has read
            // `seen` before.
            if (state_.compare_exchange_weak(seen, next, std::memory_order_release, std::memory_order_acquire))
                return waiter;
        }
    }

private:
    static constexpr std::uintptr_t free_state = 0, held = 1;
    static exclusion_waiter* waiter_of(std::uintptr_t state) noexcept {
        return reinterpret_cast<exclusion_waiter*>(state);
    }

    atomic<std::uintptr_t> state_{free_state};
};

// Locks the commutative objects of a task, one after the other, in the order of the locks' addresses, so that tasks
// cannot wait for each other in a cycle. A task that does not get a lock is queued at the lock. The thread that hands
// the lock to the task calls lock_rest() again, which continues after that lock.

// lock_of(access): the lock of the access's object. last: the lock that the task acquired last; nullptr at first.
// True: the task holds all of its locks. False: it waits for one; the caller must not touch it any more.
template <class LockOf>
bool lock_rest(tracked_task& task, exclusion_waiter& self, exclusion*& last, LockOf&& lock_of) noexcept {
    for (;;) {
        exclusion* next = nullptr;
        for (unsigned i = 0; i != task.access_count; ++i) {
            if (task.accesses[i].kind != access_kind::commutative)
                continue;
            exclusion& lock = lock_of(task.accesses[i]);
            const bool is_left = last == nullptr || std::less<>()(last, &lock);
            if (is_left && (next == nullptr || std::less<>()(&lock, next)))
                next = &lock;
        }
        if (next == nullptr)
            return true;
        // Noted before the call, since the lock may be handed to the task as soon as it is queued.
        last = next;
        if (!next->lock_or_wait(self))
            return false;
    }
}

}  // namespace teff::depend
