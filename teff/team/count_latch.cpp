// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The watched end of a count latch, and the wait for it by kind of thread; see count_latch.hpp and latch_wait.hpp.
#include <teff/team/count_latch.hpp>

#include <teff/base/locks.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/strand/stack.hpp>
#include <teff/team/deferral.hpp>
#include <teff/team/latch_wait.hpp>

#include <utility>

namespace teff {

void count_latch::watch(watcher& added) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    added.next = std::exchange(watchers_, &added);
    // relaxed: the mark and the count are one word. A task that ends after this operation finds the mark, and the
    // watcher's last look sees a task that ended before it. The watcher has already announced its sleep, and a task
    // that finds the mark looks for sleepers after a fence (in notify_all()).
    word_.fetch_or(watched, std::memory_order_relaxed);
}

void count_latch::unwatch(watcher& added) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    watcher** link = &watchers_;
    while (*link != &added)
        link = &(*link)->next;
    *link = added.next;
    if (watchers_ == nullptr)
        // relaxed: there is no thread left to notify.
        word_.fetch_and(~watched, std::memory_order_relaxed);
}

bool count_latch::watch_unless_over(watcher& parked) noexcept {
    const scoped_lock lock(pool::instance().process_mutex());
    // relaxed: a task that ends after this operation finds the mark, and the mutex keeps it from the list until then.
    if ((word_.fetch_or(watched, std::memory_order_relaxed) & unfinished) != 0) {
        parked.next = std::exchange(watchers_, &parked);
        return true;
    }
    sanitizers::happens_after(word_.address());
    if (watchers_ == nullptr)
        // relaxed: there is nothing to notify.
        word_.fetch_and(~watched, std::memory_order_relaxed);
    return false;
}

// Counts down for a task that seemed to be the last one of a watched latch. More tasks may have been counted since.
void count_latch::count_down_watched(unsigned by) noexcept {
    watcher* parked = nullptr;
    // The caller's count_down() may be in instrumented code, and has told nothing.
    sanitizers::happens_before(word_.address());
    {
        const scoped_lock lock(pool::instance().process_mutex());
        // release: as in count_down().
        if (word_.fetch_sub(by * one, std::memory_order_release) != (by * one | watched))
            return;
        // No watcher leaves before the mutex is unlocked or it is woken, so all of them still exist, and so does the
        // latch.
        for (watcher** link = &watchers_; *link != nullptr;) {
            watcher& each = **link;
            if (each.where != nullptr) {
                each.where->notify_all();
                link = &each.next;
            } else {
                *link = each.next;
                each.next = std::exchange(parked, &each);
            }
        }
        if (watchers_ == nullptr)
            // relaxed: there is nothing left to notify.
            word_.fetch_and(~watched, std::memory_order_relaxed);
    }
    // The latch may be gone once the first waiter is woken. This is outside of the mutex, which a wake-up may take.
    while (parked != nullptr) {
        parked_wait& woken = *std::exchange(parked, parked->next)->parked;
        woken.wake(woken);
    }
}

void wait_for(count_latch& awaited, const wait_reason& why) noexcept {
    if (awaited.is_over())
        return;
    task_member* const self = running_thread.member;
    if (self == nullptr)
        return sleep_until_over(awaited, why);
    measured_stack();
    wait_rules rules = deferral::rules_for_wait(*self);
    rules.why = &why;
    // The count was zero at some time of the wait. Since then other threads may have counted tasks that nothing but a
    // thread in this member's slot can run, so there is no second look.
    [[maybe_unused]] const bool taken_back =
        self->wait({awaited.word(), count_latch::unfinished, &awaited}, rules);
}

void sleep_until_over(count_latch& latch, const wait_reason& what) noexcept {
    const wait_condition awaited{latch.word(), count_latch::unfinished, &latch};
    event_count own;
    latch_watch watching(awaited, own);
    own.begin_search();
    while (!awaited.is_met())
        sleep_unless(
            own,
            [&] {
                watching.begin();
                return awaited.is_met();
            },
            [&](std::uint32_t ticket) {
                wait_reason why = what;
                why.task = running_strand().around.task;
                pool::instance().sleep_in_wait(own, ticket, why);
            });
    own.end_search();
}

}  // namespace teff
