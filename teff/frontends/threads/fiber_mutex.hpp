// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mutex for fibers and all other threads. A fiber that waits for it does not block its worker.
//
// unlock() passes the mutex directly to the first waiter, so waiters get it in the order of their arrival. For use with
// std::lock_guard and std::unique_lock. A fiber may hold it across a wait.
//
//   lock, try_lock    any thread that does not hold it
//   unlock            the fiber or thread that holds it. The next holder may destroy the mutex.
#pragma once

#include <teff/base/locks.hpp>
#include <teff/frontends/threads/parking.hpp>

namespace teff {

// A mutex for fibers and threads, to be used with std::lock_guard and the like. A fiber may hold it across a wait.
class fiber_mutex {
public:
    // made: for messages.
    fiber_mutex(site made = site::current()) noexcept : made_(made) {}
    // Makes a mutex that is free. Ends the program with a message unless `other` is free, too.
    fiber_mutex(fiber_mutex&& other) noexcept : made_(other.made_) { other.require_unused(); }
    // Ends the program with a message unless both are free. Takes the place for messages from `other`.
    fiber_mutex& operator=(fiber_mutex&& other) noexcept {
        other.require_unused();
        require_unused();
        made_ = other.made_;
        return *this;
    }

    // Returns when the caller holds the mutex, in the order of the calls. Must not be called by its holder.
    void lock() noexcept {
        guard_.lock();
        if (is_held_)
            return wait_for_turn();
        is_held_ = true;
        guard_.unlock();
    }
    // Takes the mutex if it is free; otherwise returns false at once.
    [[nodiscard("the mutex is held only if this is true")]] bool try_lock() noexcept {
        const scoped_lock locked(guard_);
        if (is_held_)
            return false;
        is_held_ = true;
        return true;
    }
    // Passes the mutex to the waiter that has waited longest. Only the holder calls it.
    void unlock() noexcept {
        threads::waiter* next = nullptr;
        {
            const scoped_lock locked(guard_);
            next = waiting_.take();
            is_held_ = next != nullptr;
        }
        if (next != nullptr)
            next->here.wake();
    }

private:
    void require_unused() const noexcept {
        const scoped_lock locked(guard_);
        threads::require_unused(!is_held_, "fiber_mutex");
    }
    // Under the guard, which it releases. Out of line: most calls need no frame for a waiter.
    [[gnu::noinline]] void wait_for_turn() noexcept {
        threads::waiter self;
        waiting_.add(self);
        self.here.release_and_wait(guard_,
                                   {.kind = "fiber_mutex", .event = "to be free", .object = this, .made = made_});
    }

    mutable spin_lock guard_;
    // under the guard
    bool is_held_ = false;
    threads::wait_list waiting_;
    site made_;  // for the report of a deadlock
};

}  // namespace teff
