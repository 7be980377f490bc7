// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/team/latch_wait.hpp>

#include <algorithm>

namespace teff {

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

}  // namespace teff
