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
// region. If the size does not change, the arrivals cannot be complete, since the late member has yet to arrive. If it
// changes, prepare() first clears the arrivals that a cancelled region has left, and its caller waits for all members
// before the next region begins.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/team/latch_wait.hpp>

#include <algorithm>

namespace teff {

// The barrier of a fixed team: it opens when every member has arrived and every task of the team has run. Members run
// tasks while they wait. A member that finds no more tasks checks whether the barrier can be opened. So does the member
// that arrives last, at once.
//
//                   arrive    try_open    condition_for    safe together?
//   arrive            yes        yes           yes         once for each member and opening; all with the same size
//   try_open                     yes           yes         any member, after the run of its last task was counted
//   condition_for                              yes         any member
//
// Members arrive in groups (a combining tree: Yew, Tzeng and Lawrie, "Distributing Hot-Spot Addressing in Large-Scale
// Multiprocessors", 1987). Each node counts the members below it that have arrived. The member that completes a node
// adds the node's count to the node above. So a few members write each line, one after the other, instead of all
// members. `arrived_` is the root; small teams have no other node.
//
//   members      0 1 2 3   4 5 6 7   8 9        groups of four
//   nodes           4         4       2         the last of each group sets it back to zero, and goes on
//   arrived_               10
//
// `arrived_` counts up to the size, and the member that opens the barrier swaps it back to zero. `opened_` counts the
// openings. A member that checks late cannot open the next barrier instead of this one: the next one needs the arrival
// of this member, too, which comes after its check. A node is set back to zero before the barrier is opened, so before
// its members arrive again.
//
// Why some member opens the barrier: each member that finds no more tasks counts its runs, executes a seq_cst fence,
// and checks. The member whose fence is the last one in the single total order sees all counts and all arrivals. (If a
// member completes nodes, its arrival includes its additions to the nodes above.)
class region_barrier {
public:
    // members: 1..4096, the most that meet; group_bits: a group has 2^group_bits members. Throws std::bad_alloc.
    explicit region_barrier(unsigned members, unsigned group_bits = 2)
        : members_(members), group_bits_(group_bits), nodes_(std::max(node_count(), 1U)) {}

    struct arrival {
        unsigned awaited;  // the number of the opening that the member waits for
        bool is_last;      // all members have arrived
    };
    // member: 0 to size - 1; size: the number of members that must arrive.
    arrival arrive(unsigned member, unsigned size) noexcept {
        // relaxed: the barrier cannot be opened before the calling member has arrived.
        const unsigned awaited = opened_.load(std::memory_order_relaxed) + 1;
        unsigned carried = 1;  // members that have arrived, in the part of the tree that the caller has completed
        unsigned level = 0;    // the number of its first node
        for (unsigned bits = group_bits_; (size - 1) >> bits != 0; bits += group_bits_) {
            const unsigned number = member >> bits;
            const unsigned below = std::min(1U << bits, size - (number << bits));
            if (below != carried && !complete(nodes_[level + number].arrived, carried, below))
                return {awaited, false};
            carried = below;
            level += nodes_in_level(bits);
        }
        sanitizers::happens_before(arrived_.address());
        // release: after the opening all members see what these members did; the arrivals of others continue the
        // release sequence; partner: the acquire in try_open().
        return {awaited, arrived_.fetch_add(carried, std::memory_order_release) + carried == size};
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

    // For a barrier that is not always used: false if the caller cannot open it.
    // relaxed: ordered by the caller's fence, as in try_open().
    bool is_in_use() const noexcept { return arrived_.load(std::memory_order_relaxed) != 0; }
    // Between two regions: forgets members that have arrived and left again. Returns the number of the last opening.
    unsigned restart() noexcept {
        // relaxed, all: the calling thread is alone, and the start of the next region publishes it.
        arrived_.store(0, std::memory_order_relaxed);
        for (unsigned number = 0; number < node_count(); ++number)
            nodes_[number].arrived.store(0, std::memory_order_relaxed);
        return opened_.load(std::memory_order_relaxed);
    }

private:
    struct alignas(false_sharing_range) node {
        atomic<unsigned> arrived{0};
    };

    // Adds the members to those of the node. True: the node is complete, and is set back.
    static bool complete(atomic<unsigned>& arrived, unsigned carried, unsigned below) noexcept {
        sanitizers::happens_before(arrived.address());
        // release: the member that completes the node sees what these members did; partner: the acquire of that member.
        // acquire: it then publishes that at the node above.
        if (arrived.fetch_add(carried, std::memory_order_acq_rel) + carried != below)
            return false;
        sanitizers::happens_after(arrived.address());
        // relaxed: the opening of the barrier, which this member's next operation allows, orders it before the next
        // arrivals.
        arrived.store(0, std::memory_order_relaxed);
        return true;
    }
    unsigned nodes_in_level(unsigned bits) const noexcept { return ((members_ - 1) >> bits) + 1; }
    unsigned node_count() const noexcept {
        unsigned count = 0;
        for (unsigned bits = group_bits_; (members_ - 1) >> bits != 0; bits += group_bits_)
            count += nodes_in_level(bits);
        return count;
    }

    // constant
    const unsigned members_, group_bits_;
    // members write
    slots<node> nodes_;
    alignas(false_sharing_range) atomic<unsigned> arrived_{0};
    // the member that opens it writes
    alignas(false_sharing_range) atomic<unsigned> opened_{0};
};

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
