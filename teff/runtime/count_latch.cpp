// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The list of watchers, and how the last task notifies them.
#include <teff/runtime/count_latch.hpp>

#include <teff/base/mutex.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/scheduler/idle_tracker.hpp>

#include <utility>

namespace teff {

void count_latch::watch(watcher& who) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    who.next = std::exchange(watchers_, &who);
    // relaxed: the watcher's last look reads the same word. A task that ends after this operation finds the mark; that
    // look sees a task that ended before it. The watcher has already announced its sleep; the task that finds the mark
    // looks for sleepers after a fence (in notify_all()).
    word_.fetch_or(watched, std::memory_order_relaxed);
}

void count_latch::unwatch(watcher& who) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    watcher** link = &watchers_;
    while (*link != &who)
        link = &(*link)->next;
    *link = who.next;
    if (watchers_ == nullptr)
        // relaxed: there is no thread left to notify.
        word_.fetch_and(~watched, std::memory_order_relaxed);
}

// Ends a task that saw itself as the last one of a watched latch. More tasks may have been counted since.
void count_latch::count_down_watched(unsigned by) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    // release: as in count_down().
    if (word_.fetch_sub(by * one, std::memory_order_release) != (by * one | watched))
        return;
    // No watcher leaves before the mutex is unlocked, so all event counts still exist.
    for (const watcher* each = watchers_; each != nullptr; each = each->next)
        each->where->notify_all();
}

}  // namespace teff
