// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded intrusive FIFO queue, many producers, one consumer: MPICH2's Nemesis queue, as Qthreads uses it
// (N. Evans et al., Scheduling Chapel Tasks with Qthreads on Manycore, section 3.2; D. Buntinas et al., CCGRID 2006).
//
//   shadow_head_, else head_ -> oldest -> A    B -> newest <- tail_        (B's producer has swapped, not linked yet)
//
//                     push   pop   may_have_items    safe together?
//   push              yes    yes         yes         (any thread)
//   pop                       -          yes         (the consumer)
//   may_have_items                       yes         (any thread)
// Construction, check_invariants() and destruction exclude everything; the destructor does not touch the nodes. The
// consumer's role may pass to another thread if the old consumer's last pop() happens before the new one's first.
//
// A producer swaps its node in as the new tail and links it behind the old tail; if there was no old tail, it sets the
// head. The consumer moves the head to a shadow head on its own line and continues from there. So while the queue is
// not empty, consumer and producers share only the nodes, and the tail when the consumer takes the last node, which it
// does by resetting the tail to nullptr.
//
// A producer may be preempted between its swap and its link, and the published consumer waits for it. This consumer
// never waits: the node in front of the gap stays the first node (the producer of its successor has yet to write to
// it), and pop() returns nullptr, which means that no node can be taken yet. So nullptr does not mean "empty";
// may_have_items() answers that. It reads the tail, which counts a node from the swap on: it is never false while the
// node of a completed push is in the queue, even behind a gap. If it is true after pop() returned nullptr, a producer
// is between its two steps: yield and try again, do not sleep. If it is false, the consumer may sleep, provided that it
// announced this before the check, and that producers check for sleepers after push(); both need a fence in between.
//
// A node that pop() returned may be freed, or pushed again to any queue, at once: no other thread will touch it.
//
// Differs from the paper: no operation waits. Producers use one exchange (as the original does), not compare-and-swap,
// so none of them starves.
// Rejected: a dummy node (D. Vyukov), which lets the consumer take the last node without a read-modify-write, but which
// no thread owns; head and tail on different lines, since a producer writes to the head only just after the tail.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/shared_data.hpp>

#include <concepts>

namespace teff {

// Node has a member `teff::atomic<Node*> next`, which the queue uses from push() until pop() returns the node.
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
        // release: our nullptr in `next` is ordered before the link by which the next producer overwrites it; partner:
        // the acquire of that producer's exchange. acquire: the same for the node in front of ours; partner: the
        // release of its producer's exchange. If there is no such node, the consumer's nullptr in the head is ordered
        // before our node; partner: the release in take_last().
        Node* const before = tail_.exchange(&node, std::memory_order_acq_rel);
        // release, both: publishes the node and its content; partners: the acquires in pop() and find_first(). After
        // this store the node and `before` belong to the consumer.
        if (before != nullptr)
            before->next.store(&node, std::memory_order_release);
        else
            head_.store(&node, std::memory_order_release);
    }

    // Consumer. The oldest node, or nullptr if no node can be taken yet.
    Node* pop() noexcept {
        Node* const first = find_first();
        if (first == nullptr)
            return nullptr;
        // acquire: sees the next node's content; partner: the release of the link in push().
        Node* next = first->next.load(std::memory_order_acquire);
        if (next == nullptr) {
            if (take_last(*first))
                return first;
            // acquire: as above. There is a successor, and its producer may have linked it by now.
            next = first->next.load(std::memory_order_acquire);
            if (next == nullptr)
                return nullptr;
        }
        shadow_head_.write(next);
        return first;
    }

    // Any thread. True from the first step of a push until the last node is popped, also while pop() can take nothing.
    // False means that every node whose push happened before the call has been popped.
    bool may_have_items() const noexcept {
        // relaxed: nothing is read through it, and by coherence a thread that has pushed sees its own node in the tail
        // or a later value.
        return tail_.load(std::memory_order_relaxed) != nullptr;
    }

    void check_invariants() const noexcept {
        // relaxed, all: no other operation runs.
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
        // acquire: sees the first node's content; partner: the release of the head in push().
        Node* const first = head_.load(std::memory_order_acquire);
        if (first != nullptr) {
            // relaxed: no producer writes to the head before take_last() resets the tail, with release.
            head_.store(nullptr, std::memory_order_relaxed);
            shadow_head_.write(first);
        }
        return first;
    }

    // False if a producer has swapped its node in behind `first`.
    bool take_last(Node& first) noexcept {
        Node* expected = &first;
        // release: the head's nullptr is ordered before the next producer's node there; partner: the acquire in push().
        // The tail is `first` only if no producer has swapped a node in behind it, since a node is in the queue only
        // once. relaxed on failure: pop() then acquires the link.
        if (!tail_.compare_exchange_strong(expected, nullptr, std::memory_order_release, std::memory_order_relaxed))
            return false;
        shadow_head_.write(nullptr);
        return true;
    }

    // producers write
    alignas(false_sharing_range) atomic<Node*> tail_{nullptr};
    // the consumer writes, and a producer that pushes to the empty queue
    atomic<Node*> head_{nullptr};
    // consumer writes
    alignas(false_sharing_range) plain<Node*> shadow_head_{nullptr};
};

}  // namespace teff
