// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fibers and threads that wait for the same thing, first in, first out: what the mutex, the condition variable and the
// like have in common.
//
//   a call that waits                               a call that lets one go on
//     under the guard: add(self)                      under the guard: next = take()
//     self.here.release_and_wait(guard, ..)           guard released: next->here.wake()
// The guard is a spin lock of the object that has the list. It is held for a few instructions, or until the fiber that
// waits may be made ready. A waiter lies on the stack of its call. After wake() it may be gone, and so may the object.
#pragma once

#include <teff/base/intrusive_list.hpp>
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

// Without the guard: wakes all of a list that only the caller has.
inline void wake_all(wait_list& taken) noexcept {
    while (waiter* const next = taken.take())
        next->here.wake();
}

}  // namespace teff::threads
