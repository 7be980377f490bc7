// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded FIFO queue of bounded blocks, one producer, many consumers, items by value (Blaze-Tasks, section 4.3.2).
//
//                     push  claim  arm  claim_steal  may_have_items    safe together?
//   push, disarm       -      -    yes      yes           yes          (owner only; so are release, check_invariants)
//   claim, release            -    yes      yes           yes          (owner only)
//   arm                            yes      yes           yes
//   claim_steal,                            yes           yes          (one thread at a time per participant)
//     release_stolen
//   may_have_items, estimate                              yes
// Construction and destruction exclude everything; the destructor destroys the remaining items.
//
// Only the owner allocates, links and retires blocks, so its own accesses need no protection by the reclaimer. It adds
// and claims items by relaxed loads and swaps, because it reads only what it wrote itself. A push is a plain
// construction and a release store. A thief wins slots by a compare-and-swap of a block's head, while the reclaimer
// protects the block. It moves the items out afterwards, without protection: a block is not refilled before all moves
// out of it are over (queue_block).
//
// Differs from the paper: (1) Thieves, too, advance `first_` past an exhausted block. Otherwise, while the owner runs
// one long task, each theft would walk over all blocks that thieves have emptied since. (2) The reclaimer returns
// blocks to their owner, and they stay blocks of this queue until it is destroyed. So any thread may read the first
// block for a hint. (3) A thief may take several items by one compare-and-swap. If it emptied a long queue of tiny
// items one by one, the owner would have a cache miss at every claim. (4) push compares with `mark_` instead of the end
// of the block. Any thread may clear the mark (arm); the owner's next push and claim then fail, and the owner looks for
// requests. This costs the fast paths nothing.
// Rejected: a circular buffer, which needs a full fence in claim; moving the item out before its slot is won, which
// runs user code on an item that another thread may own.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <utility>

namespace teff {

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

enum class steal_outcome : unsigned char { won, empty, contended };

// The result of claim_steal(). If it is `won`, the `count` items from `first` on belong to the thief until it releases
// them.
template <class T>
struct stolen_items {
    steal_outcome outcome = steal_outcome::empty;
    T* first = nullptr;
    std::size_t count = 0;
    queue_block<T>* home = nullptr;
    unsigned lost = 0;  // attempts that were lost to another thread, whatever the outcome
};

template <class T, class Reclaimer>
class block_queue {
    using block = queue_block<T>;

public:
    static constexpr std::size_t default_capacity = 128;
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // participant: the owner's number in the reclaimer, used for no other queue; capacity: items per block, at least 1.
    // Allocates nothing.
    block_queue(Reclaimer& reclaimer, std::size_t participant, std::size_t capacity = default_capacity) noexcept
        : reclaimer_(reclaimer), participant_(participant), capacity_(capacity) {}
    ~block_queue();
    block_queue(const block_queue&) = delete;
    block_queue& operator=(const block_queue&) = delete;

    // Owner. Moves or copies the item in. Returns false and leaves the item untouched if the block is full or the mark
    // is armed. Passes on what T's move or copy throws.
    template <class Given>
    bool try_push(Given&& item) {
        T* const slot = write_;
        // relaxed: a cleared mark is only a request; a later push or claim will see it.
        if (slot >= mark_.load(std::memory_order_relaxed)) [[unlikely]]
            return false;
        place(slot, std::forward<Given>(item));
        return true;
    }

    // Owner. Ignores the mark. Adds a block if the last one is full. Returns false and leaves the item untouched if
    // there is no memory for that block, or if the linked blocks already have room for max_items.
    bool push_within(T& item, std::size_t max_items) {
        if (write_ == last_->limit && !add_block(max_items))
            return false;
        place(write_, std::move(item));
        return true;
    }

    // Owner. Returns false and leaves the item untouched if there is no memory.
    bool push(T&& item) { return try_push(std::move(item)) || push_within(item, unlimited); }

    // Owner. The oldest item, or nullptr if there is none or the mark is armed. The item belongs to the owner until
    // release(), which must be called before the next push or claim.
    T* claim() noexcept {
        // relaxed: a cleared mark is only a request; a later claim will see it.
        if (mark_.load(std::memory_order_relaxed) == nullptr) [[unlikely]]
            return nullptr;
        return claim_next();
    }

    // Owner. Like claim(), but ignores the mark.
    T* claim_next() noexcept {
        T* const slot = claim_from(*reading_);
        return slot != nullptr ? slot : claim_from_next_blocks();
    }

    // Owner. Destroys a claimed item.
    void release(T* item) noexcept {
        TEFF_ASSERT(item >= reading_->begin() && item < reading_->limit, "released another queue's item");
        end_life(item);
    }

    // A thief: a participant of the reclaimer other than the owner. Takes the oldest items: at most `most` of them, and
    // at most half (rounded up) of the items that it sees in their block. Gives up after `attempts` (at least 1) lost
    // races. The thief must release the items before its next claim_steal().
    stolen_items<T> claim_steal(std::size_t thief, unsigned attempts, std::size_t most = 1) noexcept;

    // A thief: destroys items that it won, all in one block. This is its last use of the block: the owner may refill
    // the block afterwards.
    void release_stolen(queue_block<T>& home, T* first, std::size_t count) noexcept {
        end_lives(first, first + count);
        sanitizers::happens_before(home.moved.address());
        // release: orders the thief's moves and the destruction before the owner refills the slots; partner: the
        // acquire in queue_block::is_settled().
        home.moved.fetch_add(count, std::memory_order_release);
    }
    void release_stolen(const stolen_items<T>& won) noexcept { release_stolen(*won.home, won.first, won.count); }

    // Any thread: makes the owner's next try_push and claim fail, until disarm().
    void arm() noexcept {
        // seq_cst: orders the caller's announcement before the cleared mark; partner: the fence in disarm(). If
        // disarm() overwrites the cleared mark, this fence precedes disarm()'s in the single total order, so the owner,
        // which reads the announcements after disarm(), sees this one. If the cleared mark overwrites disarm()'s, the
        // owner's next push or claim fails.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: ordered by the fence; nothing is read through the mark.
        mark_.store(nullptr, std::memory_order_relaxed);
    }
    // Owner: must read all announcements afterwards.
    void disarm() noexcept {
        // relaxed: ordered by the fence below.
        mark_.store(last_->limit, std::memory_order_relaxed);
        // seq_cst: orders the reset mark before the owner's reads of announcements; partner: the fence in arm(), which
        // has the argument.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    // Owner. relaxed: the next push or claim sees a mark that is cleared after this load.
    bool is_armed() const noexcept { return mark_.load(std::memory_order_relaxed) == nullptr; }

    // Any thread: whether a thief would find an item now; a hint.
    bool may_have_items() const noexcept;
    // Any thread: the room in the linked blocks, a rough estimate of the number of items. It changes only when a block
    // is linked or retired.
    // relaxed: a hint.
    std::size_t estimate() const noexcept { return estimate_.load(std::memory_order_relaxed); }

    // Owner: how many items it has pushed, and how many of them it has claimed itself, since construction.
    std::uint64_t pushed() const noexcept {
        return linked_ * capacity_ - static_cast<std::uint64_t>(last_->limit - write_);
    }
    std::uint64_t claimed() const noexcept { return claimed_; }

    // Owner, also while thieves steal: the first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept;

private:
    template <class Given>
    void place(T* slot, Given&& item) {
        ::new (static_cast<void*>(slot)) T(std::forward<Given>(item));
        write_ = slot + 1;
        sanitizers::happens_before(last_->tail.address());
        // release: makes the item visible to claim_steal()'s acquire of tail.
        last_->tail.store(slot + 1, std::memory_order_release);
    }

    T* claim_from(block& from) noexcept {
        // relaxed: head only decides which thread wins a slot; the owner wrote the slots' contents itself.
        T* slot = from.head.load(std::memory_order_relaxed);
        // relaxed: the owner's own value.
        while (slot != from.tail.load(std::memory_order_relaxed)) {
            // relaxed, both: as above. Thieves do not see items through head, but through tail.
            if (from.head.compare_exchange_weak(slot, slot + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
                ++claimed_;
                return slot;
            }
        }
        return nullptr;
    }

    T* claim_from_next_blocks() noexcept;
    void retire_exhausted_blocks() noexcept;
    bool add_block(std::size_t max_items) noexcept;
    block* empty_block() noexcept;
    block* allocate_block() noexcept;
    void deallocate_block(block* doomed) noexcept;
    void take_back(block& used) noexcept;
    void reuse_settled_blocks() noexcept;
    void change_estimate(std::size_t items) noexcept;

    // constant after construction
    Reclaimer& reclaimer_;
    const std::size_t participant_;
    const std::size_t capacity_;
    // a block without slots, so that the pointers to blocks are never null
    block stub_{this, 0};
    // owner alone
    T* write_ = stub_.limit;            // the next free slot of *last_
    block* last_ = &stub_;              // where it pushes
    block* reading_ = &stub_;           // where it claims; the oldest linked block
    std::uint64_t claimed_ = 0;
    std::uint64_t claimed_before_ = 0;  // the part of claimed_ from the blocks before *reading_
    std::uint64_t linked_ = 0;          // blocks ever linked
    // owner alone: lists (by next_retired) of blocks that are not in the queue
    reclaimable* spare_ = nullptr;      // free for use
    reclaimable* unsettled_ = nullptr;  // returned by the reclaimer, but a thief still uses items inside
    // owner writes, any thread reads
    alignas(false_sharing_range) atomic<std::size_t> estimate_{0};
    // any thread writes when it finds nothing to steal; the owner reads at every operation
    alignas(false_sharing_range) atomic<T*> mark_{stub_.limit};
    // any thread writes: the oldest block that may have items; never a block before reading_
    alignas(false_sharing_range) atomic<block*> first_{&stub_};
};

}  // namespace teff

#include <teff/queue/block_queue_slow.hpp>
