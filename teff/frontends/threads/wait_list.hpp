// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A first-in, first-out list of waiting fibers and threads: the common part of the mutex, the condition variable, the
// latch, the barrier and the channel.
//
//   a call that waits                               a call that wakes one
//     under the guard: add(self)                      under the guard: next = take()
//     self.here.release_and_wait(guard, ..)           guard released: next->here.wake()
// The guard is a spin lock of the object that contains the list. It is held for a few instructions, or until the
// waiting fiber may be made ready. A waiter lies on the stack of its call. After wake() the waiter may be gone, and so
// may the object.
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/frontends/threads/parking.hpp>

namespace teff::threads {

struct waiter : list_hook {
    parking here;
};

// All functions: under the guard.
class wait_list {
public:
    bool empty() const noexcept { return waiters_.empty(); }
    void add(waiter& last) noexcept { waiters_.push_back(last); }
    // nullptr if nothing waits.
    waiter* take() noexcept {
        waiter* const first = waiters_.first();
        if (first != nullptr)
            waiters_.remove(*first);
        return first;
    }

private:
    intrusive_list<waiter> waiters_;
};

// Called without the guard: wakes all waiters of a list that belongs to the caller alone.
inline void wake_all(wait_list& taken) noexcept {
    while (waiter* const next = taken.take())
        next->here.wake();
}

}  // namespace teff::threads
