// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LIFO of intrusive nodes under one mutex: the queue that the workers of a shepherd share in the scheduler `sherwood`
// (Evans, Olivier, Barrett, Stelle, ROSS 2017, section 3.1).
//
//                     push  pop, take  may_have_items    safe together?
//   push              yes      yes          yes          any thread
//   pop, take                  yes          yes          any thread
//   may_have_items                          yes          any thread; takes no mutex
// Construction and destruction exclude everything. A node is in at most one queue at a time; the queue owns none.
//
// "Tasks are scheduled in LIFO order", and thieves take from the same end ("still stolen from the head", section 3.3).
// A thief takes up to n nodes at once, by default one for each worker of its own shepherd. It gets them as a chain,
// keeps one and pushes the others to its own shepherd's queue, which locks its mutex once for all of them. No thread
// holds two mutexes.
// A count beside the list is written under the mutex. Idle workers read it without the mutex and do not lock an empty
// queue.
// Rejected: spinning before the mutex sleeps, or a lock-free list in its place: a queue under a plain mutex is what
// the paper compares its lock-free queues with.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/plain.hpp>

#include <cstddef>

namespace teff {

// Nodes linked from `first` to `last`, which belong to the holder of the chain. Node has `teff::atomic<Node*> next`.
template <class Node>
struct node_chain {
    Node* first = nullptr;
    Node* last = nullptr;
    std::size_t count = 0;

    // Removes and returns the first node, or returns nullptr if there is none.
    Node* take_first() noexcept {
        Node* const taken = first;
        if (taken == nullptr)
            return nullptr;
        // relaxed: the mutex has published the links to the thread that holds the chain.
        first = --count == 0 ? nullptr : taken->next.load(std::memory_order_relaxed);
        if (first == nullptr)
            last = nullptr;
        return taken;
    }
};

template <class Node>
class alignas(false_sharing_range) locked_lifo {
public:
    locked_lifo() noexcept = default;
    locked_lifo(const locked_lifo&) = delete;
    locked_lifo& operator=(const locked_lifo&) = delete;

    void push(Node& node) noexcept { push(node_chain<Node>{&node, &node, 1}); }

    // Pushes a whole chain; its first node becomes the newest.
    void push(const node_chain<Node>& added) noexcept {
        if (added.count == 0)
            return;
        TEFF_ASSERT(added.first != nullptr && added.last != nullptr, "a chain that counts nodes it does not have");
        const scoped_lock locked(mutex_);
        // relaxed: published by the mutex.
        added.last->next.store(first_.read(), std::memory_order_relaxed);
        first_.write(added.first);
        set_size(size() + added.count);
    }

    // The newest node, or nullptr if there is none.
    Node* pop() noexcept { return take(1).first; }

    // Takes up to `at_most` nodes, the newest first. A thread that gets none, or false from may_have_items(), sees what
    // the thread that took the last node did before that.
    node_chain<Node> take(std::size_t at_most) noexcept {
        node_chain<Node> taken;
        if (!may_have_items() || at_most == 0)
            return taken;
        const scoped_lock locked(mutex_);
        Node* rest = taken.first = first_.read();
        for (; rest != nullptr && taken.count < at_most; ++taken.count) {
            taken.last = rest;
            // relaxed: published by the mutex.
            rest = rest->next.load(std::memory_order_relaxed);
        }
        first_.write(rest);
        set_size(size() - taken.count);
        return taken;
    }

    bool may_have_items() const noexcept {
        // acquire: a thread that finds the queue empty sees what was done before; partner: the release in set_size().
        return size_.load(std::memory_order_acquire) != 0;
    }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() noexcept {
        const scoped_lock locked(mutex_);
        std::size_t left = size();
        // relaxed: published by the mutex.
        for (const Node* node = first_.read(); node != nullptr; node = node->next.load(std::memory_order_relaxed)) {
            if (left-- == 0)
                return "the list is as long as the count says, and ends";
        }
        return left == 0 ? nullptr : "the list is as long as the count says";
    }

private:
    // Both functions: under the mutex.
    // relaxed: written under the mutex only.
    std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
    void set_size(std::size_t size) noexcept {
        // release: a thread that finds the queue empty without the mutex sees what was done before; partner: the
        // acquire in may_have_items().
        size_.store(size, std::memory_order_release);
    }

    // any thread writes, under the mutex
    mutex mutex_;
    plain<Node*> first_{nullptr};
    atomic<std::size_t> size_{0};
};

}  // namespace teff
