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
// "Tasks are scheduled in LIFO order", and thieves take from the same end ("still stolen from the head", section 3.3),
// up to n at once, as many as there are workers to feed. They get them as a chain, keep one and push the others into
// their own shepherd's queue, which takes its mutex once for all. No thread holds two mutexes.
// A count beside the list, written under the mutex, answers idle workers, which then do not take it.
// Rejected: spinning before the mutex sleeps, or a lock-free list in its place: a queue behind a plain mutex is what
// the paper compares its lock-free queues with.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/mutex.hpp>
#include <teff/base/plain.hpp>

#include <cstddef>

namespace teff {

// Nodes linked from `first` to `last`, that belong to whoever has the chain. Node has `teff::atomic<Node*> next`.
template <class Node>
struct node_chain {
    Node* first = nullptr;
    Node* last = nullptr;
    std::size_t count = 0;

    // Takes the first off, or answers nullptr if there is none.
    Node* take_first() noexcept {
        Node* const taken = first;
        if (taken == nullptr)
            return nullptr;
        // relaxed: the chain's owner has what the mutex handed over.
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

    // All of a chain, its first node on top.
    void push(const node_chain<Node>& added) noexcept {
        if (added.count == 0)
            return;
        TEFF_ASSERT(added.first != nullptr && added.last != nullptr, "a chain that counts nodes it does not have");
        const scoped_lock locked(mutex_);
        // relaxed: the mutex hands it over.
        added.last->next.store(first_.read(), std::memory_order_relaxed);
        first_.write(added.first);
        set_size(size() + added.count);
    }

    // The newest node, or nullptr if there is none.
    Node* pop() noexcept { return take(1).first; }

    // Up to `at_most` nodes, the newest first. Whoever gets none, or false from may_have_items(), sees what the thread
    // that took the last node did before that.
    node_chain<Node> take(std::size_t at_most) noexcept {
        node_chain<Node> taken;
        if (!may_have_items() || at_most == 0)
            return taken;
        const scoped_lock locked(mutex_);
        Node* rest = taken.first = first_.read();
        for (; rest != nullptr && taken.count < at_most; ++taken.count) {
            taken.last = rest;
            // relaxed: the mutex handed it over.
            rest = rest->next.load(std::memory_order_relaxed);
        }
        first_.write(rest);
        set_size(size() - taken.count);
        return taken;
    }

    bool may_have_items() const noexcept {
        // acquire: pairs with the release in set_size(), for an empty queue.
        return size_.load(std::memory_order_acquire) != 0;
    }

    // Any thread. The first broken invariant in words, or nullptr.
    const char* check_invariants() noexcept {
        const scoped_lock locked(mutex_);
        std::size_t left = size();
        // relaxed: the mutex handed it over.
        for (const Node* node = first_.read(); node != nullptr; node = node->next.load(std::memory_order_relaxed)) {
            if (left-- == 0)
                return "the list is as long as the count says, and ends";
        }
        return left == 0 ? nullptr : "the list is as long as the count says";
    }

private:
    // Under the mutex, both.
    // relaxed: it is written under the mutex only.
    std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }
    void set_size(std::size_t size) noexcept {
        // release: who finds the queue empty without the mutex sees what was done before; partner: may_have_items().
        size_.store(size, std::memory_order_release);
    }

    // anybody writes, one at a time
    mutex mutex_;
    plain<Node*> first_{nullptr};
    atomic<std::size_t> size_{0};
};

}  // namespace teff
