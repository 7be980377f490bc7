// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a fixed team: it opens when every member has arrived and every task of the team has run. Members run
// tasks while they wait; a member that has run dry looks whether the barrier can be opened.
//
//               arrive    try_open    goal    safe together?
//   arrive        yes        yes       yes    once for each member and opening
//   try_open                 yes       yes    any member, after the run of its last task was counted
//   goal                               yes    any member
//
// `arrived` counts up to the size and is swapped back to zero by the one member that opens the barrier; `opened` counts
// the openings. A member that was late to look cannot take the next barrier for this one: it would have to have arrived
// there, which it does after its look.
//
// That somebody opens it: each member that runs dry counts its runs, passes a fence, and looks. Of all these fences the
// last one in their single order sees all counts and all arrivals.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/runtime/goal.hpp>

namespace teff {

class region_barrier {
public:
    // The opening that the member waits for, by its number.
    unsigned arrive() noexcept {
        // relaxed: it cannot be opened before the calling member has arrived.
        const unsigned awaited = opened_.load(std::memory_order_relaxed) + 1;
        // release: what the member did is seen by all after the opening, also through the arrivals of others, which
        // continue the release sequence; partner: the acquire in try_open().
        arrived_.fetch_add(1, std::memory_order_release);
        return awaited;
    }
    goal goal_for(unsigned awaited) const noexcept { return {.word = opened_, .expected = awaited}; }

    // size: of the team. all_ran(): whether every task that was ever made in the team has run. True: it was opened by
    // this call; the caller then calls those that sleep.
    template <class AllRan>
    bool try_open(unsigned size, AllRan&& all_ran) noexcept {
        // seq_cst: our runs were counted before we look; partner: the same fence of others.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // acquire: sees what the members did before they arrived; partner: the release in arrive().
        if (arrived_.load(std::memory_order_acquire) != size || !all_ran())
            return false;
        unsigned expected = size;
        // relaxed, both: it decides who opens; the opening publishes.
        if (!arrived_.compare_exchange_strong(expected, 0, std::memory_order_relaxed, std::memory_order_relaxed))
            return false;
        // release: all that happened before is seen by the members that go on; partner: the acquire in is_reached().
        // A read-modify-write would do nothing more: nobody else opens until all have arrived again.
        opened_.store(opened_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
        return true;
    }

private:
    // members write
    alignas(false_sharing_range) atomic<unsigned> arrived_{0};
    // the member that opens it writes
    alignas(false_sharing_range) atomic<unsigned> opened_{0};
};

}  // namespace teff
