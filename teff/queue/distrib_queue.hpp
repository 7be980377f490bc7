// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LIFO of intrusive nodes, one per worker, from which thieves take at the same end as the owner: the queue of the
// scheduler `distrib` (Evans, Olivier, Barrett, Stelle, ROSS 2017, section 3.3).
//
//                         push  pop, try_pop  may_have_items    safe together?
//   push                  yes       yes            yes          any thread; in `distrib` the owner
//   pop, try_pop                    yes            yes          any thread
//   may_have_items                                 yes          any thread; a hint
// check_invariants excludes everything. A node is in at most one queue at a time; the queue owns none.
//
// A list whose head is swung by compare-and-swap (Treiber 1986). Between reading the head and swapping it, a thief
// reads the link of the top node. Meanwhile that node may have been taken, used again and pushed anew, so that the head
// looks the same though what is below it is not (ABA). Therefore the head is one word of {version, number of the top
// node}, and every push changes the version: a word with a given version and top is written once, for within a version
// there are pops only, which never bring a node back. So a swap that succeeds replaces the very word that was read;
// until then the top was in this queue, and its link was the one that its push had written. The version has 32 bits: a
// thief would be fooled if, while it slept there, a multiple of 2^32 pushes happened that left the same node on top.
// A link that a thief reads too late is garbage, but must be readable: Nodes is memory that keeps its type (a pool),
// and a node stays there until the last queue that it was in has ended. Queues between which nodes travel share it.
//
// Differs from the paper: the paper calls its queue Nemesis's in LIFO order and does not say how it excludes ABA.
// Rejected: a reclaimer (a full fence per pop, for memory that is never freed anyway); a 16-byte swap of {pointer,
// version} (twice the cost, and not on every machine); links that are pointers (a pop would have to look into the node
// below the top for its number, and a second cache line would follow the first).
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <cstdint>
#include <limits>

namespace teff {

// What try_pop() found: a node, or none and whether that is because another thread was faster.
template <class Node>
struct pop_attempt {
    Node* node = nullptr;
    bool contended = false;
};

// Node: `std::uint32_t index`, its constant number in Nodes, below 2^32 - 1, and `teff::atomic<std::uint32_t> link`,
// which is the queue's. Nodes: `Node& at(std::uint32_t index) noexcept`, for any thread.
template <class Node, class Nodes>
class alignas(false_sharing_range) distrib_queue {
public:
    // Allocates nothing. The nodes outlive the queue.
    explicit distrib_queue(Nodes& nodes) noexcept : nodes_(nodes) {}
    distrib_queue(const distrib_queue&) = delete;
    distrib_queue& operator=(const distrib_queue&) = delete;

    void push(Node& node) noexcept {
        TEFF_ASSERT(node.index < std::numeric_limits<std::uint32_t>::max(), "a node's number does not fit");
        // relaxed: judged by the swap; nothing is read through it.
        std::uint64_t seen = head_.load(std::memory_order_relaxed);
        do {
            // relaxed: the swap publishes it.
            node.link.store(link_of(seen), std::memory_order_relaxed);
            // release: makes node and link visible to the acquire of the head in pop(), through later swaps, too, which
            // continue the release sequence. relaxed on failure: as the load above.
        } while (!head_.compare_exchange_weak(seen, pack(version_of(seen) + 1, node.index + 1),
                                              std::memory_order_release, std::memory_order_relaxed));
    }

    // The newest node, or nullptr if there is none. Whoever gets nullptr, or false from may_have_items(), sees what the
    // thread that took the last node did before that.
    Node* pop() noexcept {
        // acquire: pairs with push(), for the top node and its link, and with take(), for an empty queue.
        std::uint64_t seen = head_.load(std::memory_order_acquire);
        while (link_of(seen) != none) {
            if (Node* const taken = take(seen))
                return taken;
        }
        return nullptr;
    }

    // The same, but gives up when another thread was faster.
    pop_attempt<Node> try_pop() noexcept {
        // acquire: as in pop().
        std::uint64_t seen = head_.load(std::memory_order_acquire);
        if (link_of(seen) == none)
            return {};
        Node* const taken = take(seen);
        return {taken, taken == nullptr};
    }

    bool may_have_items() const noexcept {
        // acquire: as in pop(), for an empty queue.
        return link_of(head_.load(std::memory_order_acquire)) != none;
    }

    // Nobody else uses the queue. The first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept {
        std::uint32_t milestone = none;  // a node passed before: the 1st, 2nd, 4th, ...
        std::uint64_t passed = 0, next_milestone = 1;
        // relaxed, both: the caller has ordered everything before.
        for (std::uint32_t link = link_of(head_.load(std::memory_order_relaxed)); link != none;) {
            const Node& node = nodes_.at(link - 1);
            if (node.index != link - 1)
                return "a node has the number under which it is found";
            if (link == milestone)
                return "the list of nodes ends";
            if (++passed == next_milestone) {
                milestone = link;
                next_milestone *= 2;
            }
            link = node.link.load(std::memory_order_relaxed);
        }
        return nullptr;
    }

private:
    // A link is a node's number plus one.
    static constexpr std::uint32_t none = 0;

    static constexpr std::uint32_t link_of(std::uint64_t head) noexcept { return static_cast<std::uint32_t>(head); }
    static constexpr std::uint32_t version_of(std::uint64_t head) noexcept {
        return static_cast<std::uint32_t>(head >> 32);
    }
    static constexpr std::uint64_t pack(std::uint32_t version, std::uint32_t link) noexcept {
        return std::uint64_t{version} << 32 | link;
    }

    // Swings the head that was seen to the node below; on failure reads it anew.
    Node* take(std::uint64_t& seen) noexcept {
        Node& top = nodes_.at(link_of(seen) - 1);
        // relaxed: written before the push that `seen` was acquired from, or later and then the swap fails.
        const std::uint32_t below = top.link.load(std::memory_order_relaxed);
        // release: for whoever finds the queue empty; the nodes below were published by their pushes, whose release
        // sequences go on. acquire on failure: as the load in pop().
        const bool won = head_.compare_exchange_strong(seen, pack(version_of(seen), below), std::memory_order_release,
                                                       std::memory_order_acquire);
        return won ? &top : nullptr;
    }

    // anybody writes; a line of its own, as the paper has it
    atomic<std::uint64_t> head_{pack(0, none)};
    // constant after construction; whoever needs it needs the head, too
    Nodes& nodes_;
};

}  // namespace teff
