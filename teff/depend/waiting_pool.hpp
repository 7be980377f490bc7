// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pool of waiting tasks of the tracker `tickets`: a hash table of chains, by the depth of the tasks in the task
// graph (Vandierendonck et al., section 4.4). A task that waits for a task of depth d probably has depth d + 1, so a
// release of depth d looks there first.
//
//   depth & mask:  0 -> t -> t        1 -> t        2        3 -> t        a chain is a ring through its tasks
//
//                          empty, has_open_round   add   take_at, take_some    safe together?
//   empty, has_open_round           yes            yes          yes            any thread; no mutex
//   add                                            yes          yes            any thread; under the pool's mutex
//   take_at, take_some                                          yes            the same
// The functions that are passed in are called under the mutex. The table doubles when there are more tasks than chains;
// if there is no memory for that, the chains get longer.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/locks.hpp>
#include <teff/depend/tracked.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace teff::depend {

class waiting_pool {
public:
    // The pool's state in a task.
    struct hook {
        tracked_task* before = nullptr;
        tracked_task* after = nullptr;
        unsigned depth = 0;
    };

    waiting_pool() noexcept = default;
    waiting_pool(const waiting_pool&) = delete;
    waiting_pool& operator=(const waiting_pool&) = delete;
    ~waiting_pool() { free_table(); }

    // seq_cst: see tickets.hpp.
    bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

    // Adds a task unless is_ready(task), which is called after the pool counts the task. Returns whether it was added.
    template <class IsReady>
    bool add(tracked_task& task, IsReady&& is_ready) noexcept {
        const scoped_lock lock(mutex_);
        // relaxed: it is written under the mutex.
        const std::size_t size = size_.load(std::memory_order_relaxed) + 1;
        // seq_cst: see tickets.hpp.
        size_.store(size, std::memory_order_seq_cst);
        if (is_ready(task)) {
            count_down();
            return false;
        }
        if (size > chain_count_)
            grow();
        link(task);
        return true;
    }

    // Takes tasks of this depth, oldest first, up to the first one that is not ready. Calls take(task) for each.
    template <class IsReady, class Take>
    void take_at(unsigned depth, IsReady&& is_ready, Take&& take) noexcept {
        const scoped_lock lock(mutex_);
        chain& where = chain_of(depth);
        while (where.first != nullptr && hook_of(*where.first).depth == depth && is_ready(*where.first))
            take(unlink(where));
    }

    // Looks at up to `at_most` tasks and takes those that are ready. begins: true starts a new round, false continues
    // the last one. A round is over when every task that was in the pool at its start has been looked at.
    template <class IsReady, class Take>
    void take_some(bool begins, unsigned at_most, IsReady&& is_ready, Take&& take) noexcept {
        const scoped_lock lock(mutex_);
        if (begins)
            begin_round();
        for (; at_most != 0 && find_unvisited(); --at_most) {
            chain& where = chains_[visiting_];
            --unvisited_;
            if (is_ready(*where.first))
                take(unlink(where));
            else
                where.first = hook_of(*where.first).after;
        }
        // relaxed: a hint; the mutex orders the rounds.
        has_open_round_.store(find_unvisited(), std::memory_order_relaxed);
    }
    // Any thread. Whether a round has begun and is not over.
    bool has_open_round() const noexcept {
        // relaxed: as above.
        return has_open_round_.load(std::memory_order_relaxed);
    }

private:
    struct chain {
        tracked_task* first = nullptr;
        std::size_t size = 0;
    };

    static hook& hook_of(tracked_task& task) noexcept { return task.state.as<hook>(); }
    chain& chain_of(unsigned depth) noexcept { return chains_[depth & (chain_count_ - 1)]; }

    void link(tracked_task& task) noexcept {
        chain& where = chain_of(hook_of(task).depth);
        tracked_task* const first = where.first == nullptr ? &task : where.first;
        tracked_task* const last = where.first == nullptr ? &task : hook_of(*first).before;
        hook_of(task).before = last;
        hook_of(task).after = first;
        hook_of(*last).after = hook_of(*first).before = &task;
        where.first = first;
        ++where.size;
    }
    tracked_task& unlink_first(chain& where) noexcept {
        tracked_task& first = *where.first;
        const hook links = hook_of(first);
        hook_of(*links.before).after = links.after;
        hook_of(*links.after).before = links.before;
        where.first = --where.size == 0 ? nullptr : links.after;
        return first;
    }
    tracked_task& unlink(chain& where) noexcept {
        count_down();
        return unlink_first(where);
    }
    // relaxed, both: the mutex orders the writes. A thread that reads the old count takes the mutex and finds the task
    // gone.
    void count_down() noexcept {
        size_.store(size_.load(std::memory_order_relaxed) - 1, std::memory_order_relaxed);
    }

    void begin_round() noexcept {
        visiting_ = 0;
        unvisited_ = chains_[0].size;
    }
    // Advances to a chain with a task that this round has not looked at. In a chain the unvisited tasks come first,
    // then the visited ones, then the tasks added since. take_at() may have taken some, so the chain's size bounds
    // `unvisited_`.
    bool find_unvisited() noexcept {
        while (visiting_ < chain_count_) {
            unvisited_ = std::min(unvisited_, chains_[visiting_].size);
            if (unvisited_ != 0)
                return true;
            if (++visiting_ < chain_count_)
                unvisited_ = chains_[visiting_].size;
        }
        return false;
    }

    void grow() noexcept {
        const std::size_t larger = 2 * chain_count_;
        void* const memory = allocate(larger * sizeof(chain), alignof(chain));
        if (memory == nullptr)
            return;
        chain* const grown = static_cast<chain*>(memory);
        std::uninitialized_value_construct_n(grown, larger);
        chain* const before = std::exchange(chains_, grown);
        const std::size_t count = std::exchange(chain_count_, larger);
        for (std::size_t i = 0; i < count; ++i) {
            while (before[i].first != nullptr)
                link(unlink_first(before[i]));
        }
        if (before != &only_chain_)
            deallocate(before, count * sizeof(chain), alignof(chain));
        // An open round continues: the tasks that it has not visited are still first in their chain, or in a later
        // chain.
        if (visiting_ == count)
            visiting_ = larger;
    }
    void free_table() noexcept {
        if (chains_ != &only_chain_)
            deallocate(chains_, chain_count_ * sizeof(chain), alignof(chain));
    }

    // written under the mutex
    atomic<std::size_t> size_{0};
    atomic<bool> has_open_round_{false};
    mutex mutex_;
    // under the mutex
    std::size_t chain_count_ = 1;  // a power of two
    chain only_chain_;
    chain* chains_ = &only_chain_;
    std::size_t visiting_ = 1;   // the current chain of the round; chain_count_: the round is over
    std::size_t unvisited_ = 0;  // tasks of that chain that the round has not looked at
};

}  // namespace teff::depend
