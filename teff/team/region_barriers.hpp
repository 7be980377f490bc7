// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The two barriers of a fixed team, and the number of members that take part in the region. One barrier is at the end
// of the region, the other is used inside a region that may be cancelled. A member that finds no more tasks checks
// whether it can open one.
//
//                                  arrive    try_open    give_up    prepare    safe together?
//   arrive_at_end, arrive_inside     yes        yes         yes        -       once for each member and opening
//   try_open                                    yes         yes       yes      any member
//   give_up                                                 yes        -       member that then arrives at the end only
//   prepare                                                            -       the caller, between two regions
//
// A member may check late: it has arrived at the end, another member has opened that barrier, and the caller already
// prepares the next region. Such a member must open nothing, but it may compare the arrivals with the size of the next
// region. So prepare() clears the arrivals that are left over from a cancelled region before it changes the size. (If
// the size has changed, the caller of prepare() waits for all members before the next region begins. If not, the
// arrivals cannot be complete, since the late member itself has yet to arrive.)
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/team/cancellable_barrier.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/region_barrier.hpp>

namespace teff {

class region_barriers {
public:
    // The arguments are those of region_barrier.
    explicit region_barriers(unsigned members, unsigned group_bits = 2)
        : end_(members, group_bits), inside_(members, group_bits) {}

    // How many members take part. relaxed: ordered by the dock; see prepare() for a member that looks late.
    unsigned size() const noexcept { return size_.load(std::memory_order_relaxed); }

    region_barrier::arrival arrive_at_end(unsigned member) noexcept { return end_.arrive(member, size()); }
    wait_condition end_condition(unsigned awaited) const noexcept { return end_.condition_for(awaited); }

    // Not called by a member that knows that the region is cancelled.
    wait_condition arrive_inside(unsigned member) noexcept { return inside_.arrive(member, size()); }
    bool is_given_up() const noexcept { return inside_.is_given_up(); }
    // Cancels the region. The caller then wakes the sleepers.
    void give_up() noexcept { inside_.give_up(); }

    // all_ran(): as for region_barrier::try_open(). True: this call opened a barrier; the calling member then wakes the
    // sleepers.
    template <class AllRan>
    bool try_open(AllRan&& all_ran) noexcept {
        return end_.try_open(size(), all_ran) || inside_.try_open(size(), all_ran);
    }

    // size: 1 to `members`. True: the next region has another size than the last one.
    bool prepare(unsigned size) noexcept {
        if (inside_.is_given_up()) [[unlikely]]
            inside_.restart();
        if (size == this->size())
            return false;
        // release: a member that looks late, and knows this size, sees that the arrivals are forgotten; partner: the
        // fence in region_barrier::try_open(), which comes between its loads of the size and of the arrivals.
        size_.store(size, std::memory_order_release);
        return true;
    }

private:
    region_barrier end_;
    cancellable_barrier inside_;
    // the caller writes, between two regions
    atomic<unsigned> size_{1};
};

}  // namespace teff
