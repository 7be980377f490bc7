// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded intrusive FIFO queue, many producers, one consumer: MPICH2's Nemesis queue, as it is used by Qthreads
// (N. Evans et al., Scheduling Chapel Tasks with Qthreads on Manycore, section 3.2; D. Buntinas et al., CCGRID 2006).
//
//   shadow_head_, else head_ -> oldest -> A    B -> newest <- tail_        (B's producer has swapped, not linked)
//
//                     push   pop   may_have_items    safe together?
//   push              yes    yes         yes         (anybody)
//   pop                       -          yes         (the consumer)
//   may_have_items                       yes         (anybody)
// Construction, check_invariants() and destruction exclude everything; the destructor leaves nodes alone. The
// consumer's role may pass to another thread, if that orders the one's last pop() before the other's first.
//
// A producer swaps its node in as the new tail and links it behind the old one; if there was none, it sets the head.
// The consumer moves the head to a shadow on its own line and goes on from there, so while there are nodes it meets
// producers at the nodes alone, and at the last one, which it takes by setting the tail back to nothing.
//
// Between swap and link a producer may be preempted, and the published consumer waits for it. Ours never does: the
// node in front of the gap stays the first (its successor's producer has still to write to it), and pop() answers
// nullptr: nothing that can be taken yet. So nullptr is not "empty"; may_have_items() tells. It looks at the tail,
// which counts a node from the swap on: it is never false while a completed push was not popped, also if that node
// lies behind a gap. True after nullptr means that a producer is between its two steps: look again, yielding, and do
// not sleep. False means that a consumer may sleep, if it announced that before, and producers look for sleepers after
// push(), both by fences.
//
// A node that pop() returned may be pushed again at once, to any queue, or freed: nobody else will touch it.
//
// Differs from the paper: nothing waits. Producers use one exchange (as the original does), not compare-and-swap, so
// none of them starves.
// Rejected: a dummy node (D. Vyukov), with which the last node is taken without a read-modify-write, but which nobody
// owns; head and tail on different lines, since a producer writes to the head only just after the tail.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>

#include <concepts>

namespace teff {

// Node has a member `teff::atomic<Node*> next`, the queue's from push() until pop() returns the node.
template <class Node>
class nemesis_queue {
public:
    nemesis_queue() noexcept = default;
    nemesis_queue(const nemesis_queue&) = delete;
    nemesis_queue& operator=(const nemesis_queue&) = delete;

    // Any thread. The node is in no queue.
    void push(Node& node) noexcept {
        static_assert(std::same_as<decltype(node.next), atomic<Node*>>);
        // relaxed: the exchange publishes it.
        node.next.store(nullptr, std::memory_order_relaxed);
        // release: our nullptr comes before the link that the next producer writes in its place. acquire: the same of
        // the node in front of us; or, with nothing in front, the consumer's nullptr in the head before our node (the
        // release in take_last()).
        Node* const before = tail_.exchange(&node, std::memory_order_acq_rel);
        // release, both: makes the node and its content visible to the acquires in pop(). After it the node is the
        // consumer's, and `before`, too.
        if (before != nullptr)
            before->next.store(&node, std::memory_order_release);
        else
            head_.store(&node, std::memory_order_release);
    }

    // Consumer. The oldest node, or nullptr if there is none that can be taken yet.
    Node* pop() noexcept {
        Node* const first = find_first();
        if (first == nullptr)
            return nullptr;
        // acquire: the next node's content; partner: the release of the link in push().
        Node* next = first->next.load(std::memory_order_acquire);
        if (next == nullptr) {
            if (take_last(*first))
                return first;
            // acquire: as above. There is a successor; its producer may have linked it by now.
            next = first->next.load(std::memory_order_acquire);
            if (next == nullptr)
                return nullptr;
        }
        shadow_head_.write(next);
        return first;
    }

    // Any thread. True from the first step of a push until the last node was popped, so also while pop() can take
    // nothing; false: everything whose push happened before the call was popped.
    bool may_have_items() const noexcept {
        // relaxed: nothing is read through it, and who pushed sees its own node or a later state.
        return tail_.load(std::memory_order_relaxed) != nullptr;
    }

    void check_invariants() const noexcept {
        // relaxed, all: called when nothing else runs.
        const Node* const last = tail_.load(std::memory_order_relaxed);
        const Node* const head = head_.load(std::memory_order_relaxed);
        const Node* at = shadow_head_.read() != nullptr ? shadow_head_.read() : head;
        TEFF_CHECK(shadow_head_.read() == nullptr || head == nullptr, "nemesis_queue", "there are two heads",
                   "report this");
        TEFF_CHECK((at == nullptr) == (last == nullptr), "nemesis_queue", "a head without a tail, or the reverse",
                   "report this");
        while (at != last) {
            // relaxed: as above.
            at = at->next.load(std::memory_order_relaxed);
            TEFF_CHECK(at != nullptr, "nemesis_queue", "the nodes do not reach the tail", "report this");
        }
        // relaxed: as above.
        TEFF_CHECK(last == nullptr || last->next.load(std::memory_order_relaxed) == nullptr, "nemesis_queue",
                   "there is a node behind the tail", "report this");
    }

private:
    Node* find_first() noexcept {
        if (Node* const first = shadow_head_.read())
            return first;
        // acquire: the first node's content; partner: the release of the head in push().
        Node* const first = head_.load(std::memory_order_acquire);
        if (first != nullptr) {
            // relaxed: nobody writes to the head before the tail is nothing again, which take_last() releases.
            head_.store(nullptr, std::memory_order_relaxed);
            shadow_head_.write(first);
        }
        return first;
    }

    // False if a producer has swapped its node in behind `first`.
    bool take_last(Node& first) noexcept {
        Node* expected = &first;
        // release: the head's nullptr comes before the next producer's node there; partner: the acquire in push(). The
        // tail is `first` only if nobody came behind it, since a node is in the queue once. relaxed on failure: the
        // link is what is read then.
        if (!tail_.compare_exchange_strong(expected, nullptr, std::memory_order_release, std::memory_order_relaxed))
            return false;
        shadow_head_.write(nullptr);
        return true;
    }

    // producers write
    alignas(false_sharing_range) atomic<Node*> tail_{nullptr};
    // who makes it not empty writes, and the consumer
    atomic<Node*> head_{nullptr};
    // consumer writes
    alignas(false_sharing_range) plain<Node*> shadow_head_{nullptr};
};

}  // namespace teff
