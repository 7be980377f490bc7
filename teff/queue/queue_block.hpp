// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block of block_queue: a bounded queue, each of whose slots is used once from one filling of the block to the next.
//
// States:  filling (tail < limit)  ->  full (tail == limit)  ->  exhausted (head == limit)  ->  unlinked and retired to
// the reclaimer  ->  returned by the reclaimer  ->  settled (all moves over)  ->  filling again.
//     begin <= head <= tail <= limit
// Items live in [head, tail), and in slots before head that a thread has won and not yet moved out. The thread that
// swings head past a slot has won it, and moves the item out afterwards. `moved` counts the items that thieves have
// moved out and destroyed; `owner_share` counts the items that the owner claimed. If their sum is less than the
// capacity, a thief still uses an item in the block, and the block cannot be refilled yet.
// Positions are pointers rather than indices: the claimed slot is the value of head itself.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>

namespace teff {

template <class T>
struct queue_block : reclaimable {
    queue_block(void* its_queue, std::size_t capacity) noexcept : limit(begin() + capacity), queue(its_queue) {
        start_filling();
    }

    // constant after construction
    T* const limit;
    void* const queue;
    // owner writes, thieves read
    atomic<T*> tail{nullptr};
    atomic<queue_block*> next{nullptr};
    // owner alone: how many items it claimed itself; written when it moves on to the next block
    std::size_t owner_share = 0;
    // owner and thieves write
    alignas(cache_line_size) atomic<T*> head{nullptr};
    atomic<std::size_t> moved{0};

    static constexpr std::size_t alignment() noexcept { return larger(alignof(queue_block), alignof(T)); }
    // The slots follow the header in the same memory.
    static constexpr std::size_t header_bytes() noexcept {
        return (sizeof(queue_block) + alignment() - 1) / alignment() * alignment();
    }

    T* begin() noexcept { return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(this) + header_bytes()); }
    std::size_t capacity() noexcept { return static_cast<std::size_t>(limit - begin()); }

    // Owner; no other thread can reach the block.
    void start_filling() noexcept {
        owner_share = 0;
        // relaxed, all: published with the block by the release store to its predecessor's `next`. (Its own `next` is
        // null already: retire_exhausted_blocks() resets it.)
        head.store(begin(), std::memory_order_relaxed);
        tail.store(begin(), std::memory_order_relaxed);
        moved.store(0, std::memory_order_relaxed);
    }

    // Owner; the block is unlinked.
    bool is_settled() noexcept {
        // acquire: the thieves' moves happen before the owner refills the slots; partner: the release in
        // block_queue::release_stolen().
        const bool is_all = owner_share + moved.load(std::memory_order_acquire) == capacity();
        if (is_all)
            sanitizers::happens_after(moved.address());
        return is_all;
    }
};

}  // namespace teff
