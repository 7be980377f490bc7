// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A latch that counts the unfinished tasks of a group and wakes the threads and fibers that wait for zero.
//
//                            count_up   count_down   the watchers' calls, is_over   safe together?
//   count_up                   yes         yes                  yes                 is_over may miss a concurrent one
//   count_down                             yes                  yes                 in total as much as count_up()
//   the watchers' calls, is_over                                yes
//
// One word holds the count and a mark, which is set while some thread watches. A task that ends subtracts itself by one
// compare-and-swap and does not touch the latch afterwards: the latch may be destroyed as soon as its count is zero.
// The last task of a watched latch subtracts itself under the pool's mutex instead, and notifies the watchers' event
// counts there; a watcher leaves through the same mutex. So neither the latch nor an event count is destroyed while the
// last task still uses it. (A mutex inside the latch would be destroyed with it.) A suspended fiber cannot leave the
// list itself: the last task removes it, and makes it ready after its last use of the latch and of the mutex.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>

namespace teff {

class event_count;
struct parked_wait;

class count_latch {
public:
    count_latch() noexcept = default;
    explicit count_latch(unsigned count) noexcept : word_(count * one) {}
    count_latch(const count_latch&) = delete;
    count_latch& operator=(const count_latch&) = delete;

    // release: a thread that sees the count sees what was written before; partner: the acquire in is_over().
    void count_up(unsigned by = 1) noexcept { word_.fetch_add(by * one, std::memory_order_release); }
    void count_down(unsigned by = 1) noexcept {
        sanitizers::happens_before(word_.address());
        // relaxed: the compare-and-swap checks the value.
        unsigned seen = word_.load(std::memory_order_relaxed);
        while (seen != (by * one | watched)) {
            // release: a thread that sees zero sees what every task did; the later swaps continue the release
            // sequence; partner: the acquire in is_over(). relaxed on failure: tried again.
            if (word_.compare_exchange_weak(seen, seen - by * one, std::memory_order_release,
                                            std::memory_order_relaxed))
                return;
        }
        count_down_watched(by);
    }

    bool is_over() const noexcept {
        // acquire: sees what was done; partner: the release in count_down().
        const bool is_zero = (word_.load(std::memory_order_acquire) & unfinished) == 0;
        if (is_zero)
            sanitizers::happens_after(word_.address());
        return is_zero;
    }
    // relaxed: a hint.
    unsigned size() const noexcept { return word_.load(std::memory_order_relaxed) / one; }

    // A waiting thread, represented by the event count in which it sleeps. It calls watch() after prepare_sleep() and
    // before its last look at the latch. From watch() to unwatch() the watcher is in the latch's list. The wait of a
    // suspended fiber (work_source.hpp) has no event count. It is in the list from watch_unless_over() until the last
    // task removes it and wakes it.
    struct watcher {
        event_count* where;  // nullptr: `parked`
        parked_wait* parked = nullptr;
        watcher* next = nullptr;
    };
    void watch(watcher& added) noexcept;
    void unwatch(watcher& added) noexcept;
    // Adds a suspended fiber. False: all tasks have ended, and the fiber was not added.
    bool watch_unless_over(watcher& parked) noexcept;

    // The word, and its bits that are zero when all tasks have ended, for a `wait_condition`.
    const atomic<unsigned>& word() const noexcept { return word_; }
    static constexpr unsigned unfinished = ~1U;

private:
    static constexpr unsigned watched = 1, one = 2;

    void count_down_watched(unsigned by) noexcept;

    atomic<unsigned> word_{0};
    watcher* watchers_ = nullptr;  // under the pool's mutex
};

}  // namespace teff
