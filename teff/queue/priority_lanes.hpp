// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists of intrusive nodes by priority, which a team has beside its scheduler. They hold nodes with a priority, nodes
// that a thread outside the team makes ready, and nodes that a thread has taken out of its queue for others.
//
//   lane 62    [ o o ]        a node is put into the lane of its priority, which is first in, first out;
//   ...                       priorities above 62 share the last lane
//   lane 1     [ o ]
//   lane 0     [ o o o ]      no priority
//
//                          put    take    lanes_in_use   safe together?
//   put, add_others        yes    yes         yes        any thread
//   take                          yes         yes        any thread
//   lanes_in_use                              yes        any thread; takes no mutex
// Construction and destruction exclude everything. A node is in at most one list at a time; the lanes own none.
//
// One word has a bit for each lane that is not empty, so a check costs one load, and a program that uses no lane pays
// nothing else. One more bit says that the team also has other lists to look into (team/bound_tasks.hpp), so the same
// load covers these. The taker chooses which nodes it accepts: a node that it refuses keeps its place for other
// threads.
// Rejected: a lock-free list per lane. Nodes must be taken from the middle, and none of the three uses is frequent.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/shared_data.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

namespace teff {

// Node has `teff::atomic<Node*> next` and `std::uint32_t priority`.
template <class Node>
class alignas(false_sharing_range) priority_lanes {
public:
    static constexpr std::uint32_t lane_count = 63;
    static constexpr std::uint64_t others = 1;  // no lane: there are other lists
    static constexpr std::uint64_t all_lanes = ~others;
    static constexpr std::uint64_t urgent_lanes = ~std::uint64_t{3};  // those of nodes with a priority

    priority_lanes() noexcept {}
    priority_lanes(const priority_lanes&) = delete;
    priority_lanes& operator=(const priority_lanes&) = delete;

    void put(Node& added) noexcept {
        const std::uint32_t number = std::min(added.priority, lane_count - 1);
        // relaxed: published by the mutex.
        added.next.store(nullptr, std::memory_order_relaxed);
        const scoped_lock locked(mutex_);
        lane& to = lanes_[number];
        // relaxed, both: written under the mutex.
        const std::uint64_t used = used_.load(std::memory_order_relaxed);
        if ((used & bit_of(number)) == 0)
            to.first = &added;
        else
            to.last->next.store(&added, std::memory_order_relaxed);
        to.last = &added;
        set_used(used | bit_of(number));
    }

    // From here on lanes_in_use() has the bit `others`.
    void add_others() noexcept {
        const scoped_lock locked(mutex_);
        // relaxed: written under the mutex.
        set_used(used_.load(std::memory_order_relaxed) | others);
    }

    // Takes and returns the first node for which accepts(node) is true, searching the lanes in `among` from the highest
    // down; nullptr if there is none.
    template <class Accepts>
    Node* take(std::uint64_t among, Accepts&& accepts) noexcept {
        if ((lanes_in_use() & among) == 0) [[likely]]
            return nullptr;
        return find(among, [&](lane& from, Node* before, Node& each) {
            if (!accepts(each))
                return false;
            unlink(from, before, each);
            return true;
        });
    }
    // Whether take() would find a node now.
    template <class Accepts>
    bool has(std::uint64_t among, Accepts&& accepts) noexcept {
        if ((lanes_in_use() & among) == 0) [[likely]]
            return false;
        return find(among, [&](lane&, Node*, Node& each) { return accepts(each); }) != nullptr;
    }

    // A bit for each lane that is not empty; a hint. If a thread announces that it will sleep, executes a seq_cst fence
    // and then sees no bit, it misses no node: a thread that puts one, executes a seq_cst fence and then reads the
    // announcements sees this announcement.
    // acquire: a thread that finds the lanes empty sees what the thread that took the last node did before that;
    // partner: the release in set_used().
    std::uint64_t lanes_in_use() const noexcept { return used_.load(std::memory_order_acquire); }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() noexcept {
        const scoped_lock locked(mutex_);
        for (std::uint32_t number = 0; number < lane_count; ++number) {
            if ((lanes_in_use() & bit_of(number)) == 0)
                continue;
            const Node* last = nullptr;
            for (Node* each = lanes_[number].first; each != nullptr; each = next_of(*each)) {
                if (std::min(each->priority, lane_count - 1) != number)
                    return "a node is in the lane of its priority";
                last = each;
            }
            if (last == nullptr || last != lanes_[number].last)
                return "a lane in use has a first and a last node";
        }
        return nullptr;
    }

private:
    // Meaningful while the lane's bit is set.
    struct lane {
        Node* first;
        Node* last;
    };

    static constexpr std::uint64_t bit_of(std::uint32_t number) noexcept { return std::uint64_t{2} << number; }
    // relaxed: published by the mutex.
    static Node* next_of(const Node& node) noexcept { return node.next.load(std::memory_order_relaxed); }

    // Both functions: under the mutex.
    void set_used(std::uint64_t lanes) noexcept {
        // release: see lanes_in_use().
        used_.store(lanes, std::memory_order_release);
    }
    void unlink(lane& from, Node* before, Node& gone) noexcept {
        Node* const after = next_of(gone);
        if (before != nullptr)
            // relaxed: published by the mutex.
            before->next.store(after, std::memory_order_relaxed);
        else
            from.first = after;
        if (from.last == &gone)
            from.last = before;
        const auto number = static_cast<std::uint32_t>(&from - lanes_.data());
        if (from.first == nullptr)
            // relaxed: written under the mutex.
            set_used(used_.load(std::memory_order_relaxed) & ~bit_of(number));
    }

    // Takes the mutex. The first node, in the order of take(), for which visit(lane, node before, node) is true.
    template <class Visit>
    [[gnu::noinline]] Node* find(std::uint64_t among, Visit&& visit) noexcept {
        const scoped_lock locked(mutex_);
        // relaxed: written under the mutex.
        for (std::uint64_t left = used_.load(std::memory_order_relaxed) & among; left != 0;) {
            const auto number = static_cast<std::uint32_t>(std::bit_width(left)) - 2;
            lane& from = lanes_[number];
            Node* before = nullptr;
            for (Node* each = from.first; each != nullptr; before = each, each = next_of(*each)) {
                if (visit(from, before, *each))
                    return each;
            }
            left &= ~bit_of(number);
        }
        return nullptr;
    }

    // any thread writes, under the mutex; all members read it when they look for work
    atomic<std::uint64_t> used_{0};
    mutex mutex_;
    std::array<lane, lane_count> lanes_;
};

}  // namespace teff
