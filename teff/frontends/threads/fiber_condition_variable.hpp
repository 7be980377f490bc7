// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A condition variable for fibers and all other threads, for use with fiber_mutex. Waiters are woken in the order of
// their arrival, and there are no spurious wake-ups.
//
// Any thread may notify, with or without the mutex. After a notification that wakes the last waiter, the waiter may
// destroy the variable.
#pragma once

#include <teff/base/locks.hpp>
#include <teff/frontends/threads/fiber_mutex.hpp>
#include <teff/frontends/threads/parking.hpp>

#include <mutex>
#include <utility>

namespace teff {

// Lets fibers and threads wait for a condition that a fiber_mutex guards, as std::condition_variable. Any thread.
class fiber_condition_variable {
public:
    // made: for messages.
    fiber_condition_variable(site made = site::current()) noexcept : made_(made) {}
    // Makes a new variable. Ends the program with a message if a fiber or thread waits for `other`.
    fiber_condition_variable(fiber_condition_variable&& other) noexcept : made_(other.made_) { other.require_unused(); }
    // Ends the program with a message if a fiber or thread waits for either. Takes the place for messages from `other`.
    fiber_condition_variable& operator=(fiber_condition_variable&& other) noexcept {
        other.require_unused();
        require_unused();
        made_ = other.made_;
        return *this;
    }

    // `held` must own the mutex, and owns it again afterwards. A notification between the release of the mutex and the
    // wait is not lost.
    void wait(std::unique_lock<fiber_mutex>& held) noexcept {
        threads::waiter self;
        // Once the mutex is free, another thread may notify, and destroy this object.
        const wait_reason what{
            .kind = "fiber_condition_variable", .event = "to be notified", .object = this, .made = made_};
        {
            const scoped_lock locked(guard_);
            waiting_.add(self);
        }
        held.unlock();
        self.here.wait(what);
        held.lock();
    }
    // Waits until is_met(), which is called with the mutex held. Throws what is_met() throws, with the mutex held.
    template <class Predicate>
    void wait(std::unique_lock<fiber_mutex>& held, Predicate is_met) {
        while (!is_met())
            wait(held);
    }

    // Wakes the fiber or thread that has waited longest, if any waits.
    void notify_one() noexcept {
        threads::waiter* next = nullptr;
        {
            const scoped_lock locked(guard_);
            next = waiting_.take();
        }
        if (next != nullptr)
            next->here.wake();
    }
    // Wakes all waiting fibers and threads.
    void notify_all() noexcept {
        threads::wait_list taken;
        {
            const scoped_lock locked(guard_);
            taken = std::exchange(waiting_, threads::wait_list());
        }
        threads::wake_all(taken);
    }

private:
    void require_unused() const noexcept {
        const scoped_lock locked(guard_);
        threads::require_unused(waiting_.empty(), "fiber_condition_variable");
    }

    mutable spin_lock guard_;
    threads::wait_list waiting_;  // under the guard
    site made_;                   // for the report of a deadlock
};

}  // namespace teff
