// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A request to call a tracker's search(): release() may leave ready tasks unfound (tracker.hpp). The front end has one
// task that calls search(). It queues this task on a request, and queues it again only after the task has begun.
//
//   a thread that has released a task:   may_have_missed(), make(): if true, queues the search task
//   the search task:                     begin(), search(), then as after a release
//
//           make   begin      safe together?
//   make    yes     yes       any threads
//   begin            -        the search task, once each time that it was queued
#pragma once

#include <teff/base/atomic.hpp>

namespace teff::depend {

class search_request {
public:
    // True: the caller must queue the search task. False: the search task is queued already, and its search() will find
    // the tasks that the caller's releases made ready.
    bool make() noexcept {
        // acquire: the queue's last use of the search task happens before the caller queues it again. release: the
        // search sees what the caller has released. Partner of both: the operation in begin().
        return !is_made_.exchange(true, std::memory_order_acq_rel);
    }
    void begin() noexcept {
        // acquire, release: see make().
        is_made_.exchange(false, std::memory_order_acq_rel);
    }

private:
    atomic<bool> is_made_{false};
};

}  // namespace teff::depend
