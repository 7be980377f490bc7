// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flag by which a team asks for more workers. Schedulers that deal tasks out need it: there an idle worker cannot
// see the tasks that it would be dealt.
//
//   advertise   a member that pushes, or has more than it can run, while a worker is idle: sets the flag and wakes a
//               worker. Does nothing while a member searches: that member would clear the flag at its next look and
//               busy members would set it again, so the cache line would move at each task
//   withdraw    a member that runs dry: there are enough workers
//   is_set      any thread: whether a worker that joins can expect work
// The flag is a hint. A wrong value costs a needless visit, or delays a worker until the next push.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/scheduler/idle_tracker.hpp>

namespace teff {

class work_advertisement {
public:
    void advertise(idle_tracker& idle) noexcept {
        if (idle.members().searching() != 0)
            return;
        if (!is_set())
            // relaxed: a hint; the fence of the notification makes it visible to the worker that is woken.
            set_.store(1, std::memory_order_relaxed);
        if (idle.would_notify())
            notify(idle);
    }
    void withdraw() noexcept {
        if (is_set())
            // relaxed: a hint.
            set_.store(0, std::memory_order_relaxed);
    }
    // relaxed: a hint.
    bool is_set() const noexcept { return set_.load(std::memory_order_relaxed) != 0; }

private:
    // Out of line: contains a fence, which the path of a task avoids.
    [[gnu::noinline, gnu::cold]] static void notify(idle_tracker& idle) noexcept { idle.work_visible(); }

    alignas(false_sharing_range) atomic<unsigned> set_{0};
};

}  // namespace teff
