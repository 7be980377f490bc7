// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier of a fixed team: it opens when every member has arrived and every task of the team has run. Members run
// tasks while they wait; a member that has run dry checks whether the barrier can be opened, and so does the last one
// to arrive, which then need not run dry.
//
//                   arrive    try_open    condition_for    safe together?
//   arrive            yes        yes           yes         once for each member and opening
//   try_open                     yes           yes         any member, after the run of its last task was counted
//   condition_for                              yes         any member
//
// `arrived_` counts up to the size; the one member that opens the barrier swaps it back to zero. `opened_` counts the
// openings. A member that looks late cannot mistake the next barrier for this one: that barrier needs the arrival of
// this member, too, which comes after its look.
//
// Why some member opens it: each member that runs dry counts its runs, executes a seq_cst fence, and looks. The member
// whose fence is the last one in the single total order sees all counts and all arrivals.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/runtime/wait_condition.hpp>

namespace teff {

class region_barrier {
public:
    struct arrival {
        unsigned awaited;  // the number of the opening that the member waits for
        unsigned order;    // 1: it is the first one to arrive
    };
    arrival arrive() noexcept {
        // relaxed: the barrier cannot be opened before the calling member has arrived.
        const unsigned awaited = opened_.load(std::memory_order_relaxed) + 1;
        sanitizers::happens_before(arrived_.address());
        // release: after the opening all members see what this member did; the arrivals of others continue the release
        // sequence; partner: the acquire in try_open().
        return {awaited, arrived_.fetch_add(1, std::memory_order_release) + 1};
    }
    wait_condition condition_for(unsigned awaited) const noexcept { return {.word = opened_, .expected = awaited}; }

    // size: the number of members that must arrive. all_ran(): whether every task that was ever made in the team has
    // run. True: this call opened the barrier; the calling member then wakes the sleepers.
    template <class AllRan>
    bool try_open(unsigned size, AllRan&& all_ran) noexcept {
        // seq_cst: our runs were counted before we look; partner: the same fence in other members.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // acquire: sees what the members did before they arrived; partner: the release in arrive().
        if (arrived_.load(std::memory_order_acquire) != size || !all_ran())
            return false;
        unsigned expected = size;
        // relaxed, both: this only decides which member opens the barrier; the store below publishes.
        if (!arrived_.compare_exchange_strong(expected, 0, std::memory_order_relaxed, std::memory_order_relaxed))
            return false;
        sanitizers::happens_after(arrived_.address());
        sanitizers::happens_before(opened_.address());
        // release: the members that continue see all that happened before; partner: the acquire in
        // wait_condition::is_met().
        // A read-modify-write is not needed: no other member opens the barrier until all have arrived again.
        opened_.store(opened_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
        return true;
    }

    // For a barrier that is not always used. relaxed: ordered by the caller's fence, as in try_open().
    bool is_in_use() const noexcept { return arrived_.load(std::memory_order_relaxed) != 0; }
    // Between two regions: forgets members that have arrived and left again. Returns the number of the last opening.
    unsigned restart() noexcept {
        // relaxed, both: the calling thread is alone, and the start of the next region publishes it.
        arrived_.store(0, std::memory_order_relaxed);
        return opened_.load(std::memory_order_relaxed);
    }

private:
    // members write
    alignas(false_sharing_range) atomic<unsigned> arrived_{0};
    // the member that opens it writes
    alignas(false_sharing_range) atomic<unsigned> opened_{0};
};

}  // namespace teff
