// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for a word or for the end of a count of tasks: the condition, the entry of a waiting member in a count latch's
// list of watchers, and the wait itself, by kind of thread.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/scheduler/event_count.hpp>
#include <teff/strand/wait_reason.hpp>
#include <teff/team/count_latch.hpp>

#include <utility>

namespace teff {

// Met when the `bits` of `word` equal `expected`. The thread that makes them equal wakes the sleepers of its own
// team; or, if `watched` is given, the threads that watch that latch.
struct wait_condition {
    const atomic<unsigned>& word;
    unsigned bits = ~0U;
    count_latch* watched = nullptr;
    unsigned expected = 0;

    [[gnu::always_inline]] bool is_met() const noexcept {
        // acquire: sees the work that was awaited; partner: the release by the thread that makes the bits equal.
        const bool is_met = (word.load(std::memory_order_acquire) & bits) == expected;
        if (is_met)
            sanitizers::happens_after(word.address());
        return is_met;
    }
};

// One wait of a member. If it waits for a count, begin() adds the member to the watchers, which are notified when the
// count ends; called before the member sleeps. The destructor removes it.
class latch_watch {
public:
    latch_watch(const wait_condition& awaited, event_count& where) noexcept : count_(awaited.watched), self_{&where} {}
    ~latch_watch() {
        if (has_begun_)
            count_->unwatch(self_);
    }
    latch_watch(const latch_watch&) = delete;
    latch_watch& operator=(const latch_watch&) = delete;

    void begin() noexcept {
        if (count_ == nullptr || std::exchange(has_begun_, true))
            return;
        count_->watch(self_);
    }

private:
    count_latch* const count_;
    count_latch::watcher self_;
    bool has_begun_ = false;
};

// The wait of any thread for a count latch. It depends on the calling code:
//
//   member of a team       runs tasks of its team meanwhile, on top of its stack, and sleeps if there are none
//   fiber                  is suspended (frontends/threads/fiber_member.hpp)
//   any other thread       sleeps
inline constexpr wait_reason work_of_other_threads{
    .kind = "work of other threads", .event = "", .is_for_tasks = true};

// Returns when the latch has counted zero. why: for the report of a stall.
void wait_for(count_latch& awaited, const wait_reason& why = work_of_other_threads) noexcept;
// The same without running tasks.
void sleep_until_over(count_latch& awaited, const wait_reason& what) noexcept;

}  // namespace teff
