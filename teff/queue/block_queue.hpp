// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unbounded FIFO queue of bounded blocks, one producer, many consumers, items by value (Blaze-Tasks, section 4.3.2).
//
//                     push  claim  arm  claim_steal  may_have_items    safe together?
//   push, disarm       -      -    yes      yes           yes          (owner only, like release and check_invariants)
//   claim, release            -    yes      yes           yes          (owner only)
//   arm                            yes      yes           yes
//   claim_steal,                            yes           yes          (one thread at a time per participant)
//     release_stolen
//   may_have_items, estimate                              yes
// Construction and destruction exclude everything; the destructor destroys the items that are left.
//
// The owner alone allocates, links and retires blocks, so its own accesses need no protection, and it takes and adds
// items by relaxed operations: what it reads it wrote itself. A push is a plain construction and a release store.
// Thieves win a slot by swinging a block's head, under protection of the reclaimer; they move the item out afterwards,
// without protection, since a block with an unfinished move is not used again (see queue_block.hpp).
//
// Differs from the paper: (1) thieves too swing `first_` past an exhausted block. Otherwise each theft from an owner
// that is busy with one long task would walk over all blocks that thieves have emptied meanwhile. (2) Blocks come back
// to their owner from the reclaimer and stay blocks of this queue until it ends, so anybody may look into the first one
// for a hint. (3) A thief may take several items by one swap: one by one, a thief that empties a long queue of tiny
// items makes the owner miss its cache at every claim. (4) push compares with `mark_` instead of the end of the block;
// anybody may clear the mark (arm) and so make the owner's next push and claim fail and look around: this costs the
// fast paths nothing.
// Rejected: a circular buffer, which needs a full fence in claim; moving the item before the slot is won, which runs
// user code on an item that may be somebody else's.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/queue/queue_block.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <utility>

namespace teff {

enum class steal_outcome : unsigned char { won, empty, contended };

// What claim_steal() found; with `won` the `count` items from `first` on belong to the thief until it releases them.
template <class T>
struct stolen_items {
    steal_outcome outcome = steal_outcome::empty;
    T* first = nullptr;
    std::size_t count = 0;
    queue_block<T>* home = nullptr;
};

template <class T, class Reclaimer>
class block_queue {
    using block = queue_block<T>;

public:
    static constexpr std::size_t default_capacity = 128;
    static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

    // participant: the owner's number in the reclaimer, which serves no other queue; capacity: items per block, at
    // least 1. Allocates nothing.
    block_queue(Reclaimer& reclaimer, std::size_t participant, std::size_t capacity = default_capacity) noexcept
        : reclaimer_(reclaimer), participant_(participant), capacity_(capacity) {}
    ~block_queue();
    block_queue(const block_queue&) = delete;
    block_queue& operator=(const block_queue&) = delete;

    // Owner. Moves or copies the item in. False, with the item untouched, if the block is full or the mark is armed.
    // Passes on what T's move or copy throws.
    template <class Given>
    bool try_push(Given&& item) {
        T* const slot = write_;
        // relaxed: a cleared mark is a request; a later push or claim will see it.
        if (slot >= mark_.load(std::memory_order_relaxed)) [[unlikely]]
            return false;
        place(slot, std::forward<Given>(item));
        return true;
    }

    // Owner. Regardless of the mark; adds a block if needed, unless there are max_items already (counted in blocks).
    // False, with the item untouched, if not, or if there is no memory.
    bool push_within(T& item, std::size_t max_items) {
        if (write_ == last_->limit && !add_block(max_items))
            return false;
        place(write_, std::move(item));
        return true;
    }

    // Owner. False, with the item untouched, if there is no memory.
    bool push(T&& item) { return try_push(std::move(item)) || push_within(item, unlimited); }

    // Owner. The oldest item, or nullptr if there is none or the mark is armed. It is the owner's until release(),
    // which has to come before the next push or claim.
    T* claim() noexcept {
        // relaxed: a cleared mark is a request; a later claim will see it.
        if (mark_.load(std::memory_order_relaxed) == nullptr) [[unlikely]]
            return nullptr;
        return claim_next();
    }

    // Owner. The same regardless of the mark.
    T* claim_next() noexcept {
        T* const slot = claim_from(*reading_);
        return slot != nullptr ? slot : claim_behind();
    }

    // Owner. Destroys a claimed item.
    void release(T* item) noexcept {
        TEFF_ASSERT(item >= reading_->begin() && item < reading_->limit, "released another queue's item");
        std::destroy_at(item);
    }

    // A thief: a participant of the reclaimer other than the owner. Takes the oldest items, at most `most` of them and
    // not more than half (rounded up) of what it sees in their block. Gives up after `attempts` (at least 1) lost
    // races. What it won it releases before its next claim_steal().
    stolen_items<T> claim_steal(std::size_t thief, unsigned attempts, std::size_t most = 1) noexcept;

    // A thief: destroys items that it won, in one block. The last use of the block: afterwards the owner may fill it.
    void release_stolen(queue_block<T>& home, T* first, std::size_t count) noexcept {
        std::destroy_n(first, count);
        // release: the moves and the destruction happen before is_settled()'s acquire.
        home.moved.fetch_add(count, std::memory_order_release);
    }
    void release_stolen(const stolen_items<T>& won) noexcept { release_stolen(*won.home, won.first, won.count); }

    // Any thread: makes the owner's next try_push and claim fail, until disarm().
    void arm() noexcept {
        // seq_cst: what the caller announced before arm() precedes the cleared mark. If disarm() overwrites the cleared
        // mark, this fence comes before disarm()'s in the order of such fences, so that the owner, which looks for
        // announcements after disarm(), sees this one. If disarm() came first, the next push or claim fails.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // relaxed: ordered by the fence; nothing is read through the mark.
        mark_.store(nullptr, std::memory_order_relaxed);
    }
    // Owner: afterwards it has to look at whatever may have been announced.
    void disarm() noexcept {
        // relaxed: ordered by the fence below.
        mark_.store(last_->limit, std::memory_order_relaxed);
        // seq_cst: the argument in arm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    // Owner. relaxed: a mark cleared after this look is seen by the next push or claim.
    bool is_armed() const noexcept { return mark_.load(std::memory_order_relaxed) == nullptr; }

    // Any thread: whether a thief would find something now; a hint.
    bool may_have_items() const noexcept;
    // Any thread: room in the linked blocks, that is roughly how many items there are; changes when blocks come and go.
    // relaxed: a hint.
    std::size_t estimate() const noexcept { return estimate_.load(std::memory_order_relaxed); }

    // Owner: how many items were pushed, and how many of them it claimed itself, since construction.
    std::uint64_t pushed() const noexcept {
        return linked_ * capacity_ - static_cast<std::uint64_t>(last_->limit - write_);
    }
    std::uint64_t claimed() const noexcept { return claimed_; }

    // Owner, thieves may be at work: the first broken invariant in words, or nullptr.
    const char* check_invariants() const noexcept;

private:
    template <class Given>
    void place(T* slot, Given&& item) {
        ::new (static_cast<void*>(slot)) T(std::forward<Given>(item));
        write_ = slot + 1;
        // release: makes the item visible to claim_steal()'s acquire of tail.
        last_->tail.store(slot + 1, std::memory_order_release);
    }

    T* claim_from(block& from) noexcept {
        // relaxed: only competes for slots; what is in them the owner wrote itself.
        T* slot = from.head.load(std::memory_order_relaxed);
        // relaxed: written by the owner itself.
        while (slot != from.tail.load(std::memory_order_relaxed)) {
            // relaxed, both: as above. Thieves that read head get no items through it but through tail.
            if (from.head.compare_exchange_weak(slot, slot + 1, std::memory_order_relaxed, std::memory_order_relaxed)) {
                ++claimed_;
                return slot;
            }
        }
        return nullptr;
    }

    T* claim_behind() noexcept;
    void leave_exhausted_blocks() noexcept;
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
    // a block without slots, so that neither end is ever null
    block stub_{this, 0};
    // owner alone
    T* write_ = stub_.limit;            // the next free slot of *last_
    block* last_ = &stub_;              // where it pushes
    block* reading_ = &stub_;           // where it claims; no block before it is linked
    std::uint64_t claimed_ = 0;
    std::uint64_t claimed_before_ = 0;  // of them, before it came to *reading_
    std::uint64_t linked_ = 0;          // blocks ever linked
    // owner alone: blocks that are not linked, through next_retired
    reclaimable* spare_ = nullptr;      // without items
    reclaimable* unsettled_ = nullptr;  // handed back by the reclaimer, with thieves at work inside
    // owner writes, anybody reads
    alignas(false_sharing_range) atomic<std::size_t> estimate_{0};
    // anybody writes when there is nothing to steal; the owner reads all the time
    alignas(false_sharing_range) atomic<T*> mark_{stub_.limit};
    // anybody writes: the oldest block that may have items; never behind reading_
    alignas(false_sharing_range) atomic<block*> first_{&stub_};
};

}  // namespace teff

#include <teff/queue/block_queue_slow.hpp>
