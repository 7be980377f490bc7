// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Watchers, and the end that they are told of.
#include <teff/runtime/count_latch.hpp>

#include <teff/base/mutex.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <utility>

namespace teff {

void count_latch::watch(watcher& who) noexcept {
    const scoped_lock lock(pool::instance().hand_over());
    who.next = std::exchange(watchers_, &who);
    // relaxed: the watcher's last look is at the same word: who ends later finds the mark, and who ended before is
    // seen. The watcher has announced its sleep before; who finds the mark looks for that after a fence.
    word_.fetch_or(watched, std::memory_order_relaxed);
}

void count_latch::unwatch(watcher& who) noexcept {
    const scoped_lock lock(pool::instance().hand_over());
    watcher** link = &watchers_;
    while (*link != &who)
        link = &(*link)->next;
    *link = who.next;
    if (watchers_ == nullptr)
        // relaxed: nobody is to be called any more.
        word_.fetch_and(~watched, std::memory_order_relaxed);
}

// The last one, or so it seemed, while somebody watches.
void count_latch::end_last() noexcept {
    const scoped_lock lock(pool::instance().hand_over());
    // release: as in count_down().
    if (word_.fetch_sub(one, std::memory_order_release) != (one | watched))
        return;
    // Nobody leaves before the mutex is free.
    for (const watcher* each = watchers_; each != nullptr; each = each->next)
        each->where->notify_all();
}

}  // namespace teff
