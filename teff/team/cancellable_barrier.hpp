// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The barrier inside a region that may be cancelled. It consists of a region barrier and of one more word, on which the
// members wait instead. Cancelling the region releases the members that wait here and those that arrive later. The end
// of the region has a barrier of its own, which counts all members whatever happened here.
//
//                          arrive    try_open    give_up    restart    safe together?
//   arrive                   yes        yes         yes         -      once for each member and opening
//   try_open                            yes         yes         -      any member
//   give_up                                         yes         -      a member that does not arrive afterwards
//   restart                                                     -      the caller, between two regions
//
// Odd and even openings use one bit of `released_` each, in turn. When the barrier is given up, both bits are set for
// the rest of the region, so a member that is slow to leave an opened barrier leaves it all the same.
//
// A barrier that was given up does not open again in this region: each member arrives at most once more before it knows
// that, and the member that gives up does not arrive at all.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/team/region_barrier.hpp>

namespace teff {

class cancellable_barrier {
public:
    // The arguments are those of region_barrier.
    explicit cancellable_barrier(unsigned members, unsigned group_bits = 2) : meeting_(members, group_bits) {}

    // Not called by a member that knows that the barrier was given up.
    wait_condition arrive(unsigned member, unsigned size) noexcept {
        const unsigned mine = bit_of(meeting_.arrive(member, size).awaited);
        return {.word = released_, .bits = mine, .expected = mine};
    }
    // As region_barrier::try_open(), which the caller has just called for the end of the region: the fence in it comes
    // before this look, too.
    template <class AllRan>
    bool try_open(unsigned size, AllRan&& all_ran) noexcept {
        if (!meeting_.is_in_use() || !meeting_.try_open(size, all_ran))
            return false;
        // relaxed: no other thread writes it meanwhile, since all members wait for the store below.
        const unsigned before = released_.load(std::memory_order_relaxed);
        TEFF_ASSERT(before != both, "a barrier was opened after it had been given up");
        sanitizers::happens_before(released_.address());
        // release: the members that continue see all that happened before; partner: the acquire in
        // wait_condition::is_met().
        released_.store(before ^ both, std::memory_order_release);
        return true;
    }
    // The caller then wakes the sleepers.
    void give_up() noexcept {
        sanitizers::happens_before(released_.address());
        // release: the members that continue see why; partner: the acquire in wait_condition::is_met(), and below.
        released_.store(both, std::memory_order_release);
    }
    bool is_given_up() const noexcept {
        // acquire: partner: the release in give_up().
        return released_.load(std::memory_order_acquire) == both;
    }
    void restart() noexcept {
        // relaxed: the start of the next region publishes it.
        released_.store(bit_of(meeting_.restart()), std::memory_order_relaxed);
    }

private:
    static constexpr unsigned both = 3;
    static constexpr unsigned bit_of(unsigned opening) noexcept { return 1 + opening % 2; }

    region_barrier meeting_;
    atomic<unsigned> released_{bit_of(0)};
};

}  // namespace teff
