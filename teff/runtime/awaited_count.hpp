// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many of something have not ended, and who sleeps until all have: of the tasks of a group.
//
//                  add   end_one   watch, unwatch, is_over   safe together?
//   add             yes    yes              yes               is_over may or may not see it
//   end_one                yes              yes               once for each add()
//   watch, unwatch, is_over                 yes
//
// One word has the count and a mark that somebody watches. Who ends takes itself off by one swap, and then does not
// touch the object any more: it may be gone as soon as the count is zero. Only who would take off the last one while
// the mark is there does so under the pool's mutex, and calls the watchers' crowds there; and a watcher leaves through
// that mutex. So neither the object nor a crowd ends under the hands of who calls. (A mutex of the object's own would
// end with it.)
#pragma once

#include <teff/base/atomic.hpp>

namespace teff {

class crowd;

class awaited_count {
public:
    awaited_count() noexcept = default;
    awaited_count(const awaited_count&) = delete;
    awaited_count& operator=(const awaited_count&) = delete;

    // release: who sees that it is not over sees what was written before; partner: the acquire in is_over().
    void add() noexcept { word_.fetch_add(one, std::memory_order_release); }
    void end_one() noexcept {
        // relaxed: judged by the swap.
        unsigned seen = word_.load(std::memory_order_relaxed);
        while (seen != (one | watched)) {
            // release: who sees the end sees what was done before it, also through the swaps of others, which continue
            // the release sequence; partner: the acquire in is_over(). relaxed on failure: tried again.
            if (word_.compare_exchange_weak(seen, seen - one, std::memory_order_release, std::memory_order_relaxed))
                return;
        }
        end_last();
    }

    bool is_over() const noexcept {
        // acquire: sees what was done; partner: the release in end_one().
        return (word_.load(std::memory_order_acquire) & unfinished) == 0;
    }
    // relaxed: a hint.
    unsigned size() const noexcept { return word_.load(std::memory_order_relaxed) / one; }

    // The crowd that somebody sleeps in until the end, and who is called then. After prepare_sleep() and before the
    // last look. From watch() to unwatch() the object belongs to the count.
    struct watcher {
        crowd* where;
        watcher* next = nullptr;
    };
    void watch(watcher& who) noexcept;
    void unwatch(watcher& who) noexcept;

    // The word, and its bits that are zero when all have ended; for who waits for several kinds of words.
    const atomic<unsigned>& word() const noexcept { return word_; }
    static constexpr unsigned unfinished = ~1U;

private:
    static constexpr unsigned watched = 1, one = 2;

    void end_last() noexcept;

    atomic<unsigned> word_{0};
    watcher* watchers_ = nullptr;  // under the pool's mutex
};

}  // namespace teff
