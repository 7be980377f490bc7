// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The request that some thread calls a tracker's search(), since a release may have missed tasks (tracker.hpp). The
// front end queues a task for it, and queues it again only when it has begun.
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
    // True: the caller queues the search task. False: it is queued already, and its search() will find what the tasks
    // that the caller has released have made ready.
    bool make() noexcept {
        // acquire: the search task that has begun is not touched any more, so that it may be queued again. release: the
        // search sees what we have released. Partner of both: the operation in begin().
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
