// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks the commutative objects of a task, one after the other, in the order of the locks' addresses, so that tasks
// cannot wait for each other in a cycle. A task that does not get a lock is queued at the lock (exclusion.hpp). The
// thread that hands the lock to the task calls lock_rest() again, which continues after that lock.
#pragma once

#include <teff/depend/exclusion.hpp>
#include <teff/depend/tracked.hpp>

#include <functional>

namespace teff::depend {

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
