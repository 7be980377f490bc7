// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The slow paths of block_queue, which run once per block or per theft; included by block_queue.hpp only.
//
// All functions are for the owner only, except claim_steal() and may_have_items().
#pragma once

#include <teff/base/light_standard.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/queue/block_queue.hpp>

namespace teff {

template <class T, class Reclaimer>
stolen_items<T> block_queue<T, Reclaimer>::claim_steal(std::size_t thief, unsigned attempts,
                                                       std::size_t most) noexcept {
    const scoped_participation<Reclaimer> inside(reclaimer_, thief);
    unsigned lost = 0;
    for (;;) {
        block* const from = reclaimer_.protect(thief, first_);
        for (;;) {
            // acquire: makes the items before `end` visible; partner: the release in place().
            T* const end = from->tail.load(std::memory_order_acquire);
            // relaxed: head only decides which thread wins a slot. The swap below succeeds only if head still has this
            // value, and it wins only slots before `end`, so these slots hold visible items.
            T* slot = from->head.load(std::memory_order_relaxed);
            if (slot == from->limit)
                break;
            if (slot == end)
                return {.lost = lost};
            // If head is beyond `end`, then `end` is outdated.
            if (slot < end) {
                const std::size_t taken = smaller(most, (static_cast<std::size_t>(end - slot) + 1) / 2);
                // relaxed, both: as above; the load of `end` has acquired the items.
                if (from->head.compare_exchange_strong(slot, slot + taken, std::memory_order_relaxed,
                                                       std::memory_order_relaxed)) {
                    reclaimer_.hold(thief, from);
                    sanitizers::happens_after(from->tail.address());
                    return {steal_outcome::won, slot, taken, from, lost};
                }
            }
            if (++lost == attempts)
                return {.outcome = steal_outcome::contended, .lost = lost};
        }
        // acquire: sees the next block initialised, and the swap below publishes it further; partner: the release in
        // add_block(). Or sees that first_ has moved on; partner: the release in retire_exhausted_blocks().
        block* const next = from->next.load(std::memory_order_acquire);
        if (next == nullptr) {
            // relaxed: if `next` is null because the owner retired the block, then the acquire above makes this load
            // see that first_ has moved on.
            if (first_.load(std::memory_order_relaxed) == from)
                return {.lost = lost};
            continue;
        }
        block* expected = from;
        // release: a thread that reads `next` from first_ sees it initialised; partner: the acquire in protect().
        // relaxed on failure: another thread has advanced first_.
        first_.compare_exchange_strong(expected, next, std::memory_order_release, std::memory_order_relaxed);
    }
}

template <class T, class Reclaimer>
bool block_queue<T, Reclaimer>::may_have_items() const noexcept {
    reclaimer_.observe();
    for (;;) {
        // acquire: sees the block initialised; partner: the release of the swap that stored it in first_.
        const block* const from = first_.load(std::memory_order_acquire);
        // relaxed, both: a hint; the owner may have retired or reused the block since.
        const T* const head = from->head.load(std::memory_order_relaxed);
        if (head != from->limit)
            return head != from->tail.load(std::memory_order_relaxed);
        // acquire: as in claim_steal(): if the owner has retired the block since, the load below sees that first_ has
        // moved on; partner: the release in retire_exhausted_blocks().
        if (from->next.load(std::memory_order_acquire) != nullptr)
            return true;
        // relaxed: as in claim_steal().
        if (first_.load(std::memory_order_relaxed) == from)
            return false;
    }
}

template <class T, class Reclaimer>
[[gnu::noinline]] T* block_queue<T, Reclaimer>::claim_from_next_blocks() noexcept {
    while (reading_ != last_) {
        retire_exhausted_blocks();
        if (T* const slot = claim_from(*reading_))
            return slot;
    }
    return nullptr;
}

// Advances reading_ past the blocks whose slots are all claimed, and retires them. The last block stays linked.
template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::retire_exhausted_blocks() noexcept {
    // relaxed: head only grows between two fillings of the block, and nothing follows its limit.
    while (reading_ != last_ && reading_->head.load(std::memory_order_relaxed) == reading_->limit) {
        block* const used = reading_;
        // relaxed: the owner's own value.
        block* const next = used->next.load(std::memory_order_relaxed);
        // Thieves may have advanced first_ further; then this takes it back to a block that is still linked, and they
        // advance it again. A compare-exchange is not needed: a thief that advances it from `used` fails after this.
        // release: a thread that reads `next` from first_ sees it initialised; partners: the acquires in protect() and
        // may_have_items(). The fence in the reclaimer's retire() orders this store before its scan of the thieves'
        // protections.
        first_.store(next, std::memory_order_release);
        used->owner_share = static_cast<std::size_t>(claimed_ - claimed_before_);
        claimed_before_ = claimed_;
        reading_ = next;
        reclaimer_.anchor(participant_, next);
        if (used == &stub_)
            continue;
        // If a garbage collector keeps this block by mistake, the block must not keep all its successors alive.
        // release: a thread that reads this null sees that first_ has moved on; partners: the acquires of `next` in
        // claim_steal() and may_have_items().
        used->next.store(nullptr, std::memory_order_release);
        change_estimate(estimate() - capacity_);
        reclaimer_.retire(participant_, *used);
    }
}

template <class T, class Reclaimer>
[[gnu::noinline]] bool block_queue<T, Reclaimer>::add_block(std::size_t max_items) noexcept {
    retire_exhausted_blocks();
    // A last block that is used up stays linked, but its room does not count: it holds no items.
    // relaxed: head only grows between two fillings of the block.
    const bool used_up = last_ != &stub_ && reading_ == last_ &&
                         last_->head.load(std::memory_order_relaxed) == last_->limit;
    if (estimate() - (used_up ? capacity_ : 0) >= max_items)
        return false;
    block* const added = empty_block();
    if (added == nullptr)
        return false;
    added->start_filling();
    if (reading_ == &stub_)
        reclaimer_.anchor(participant_, added);
    // release: publishes the block's fields; partner: the acquire of `next` in claim_steal().
    last_->next.store(added, std::memory_order_release);
    // relaxed: only the owner and arm() write the mark. An armed mark stays armed, because the thread that armed it
    // waits for an answer.
    T* mark = last_->limit;
    mark_.compare_exchange_strong(mark, added->limit, std::memory_order_relaxed, std::memory_order_relaxed);
    last_ = added;
    write_ = added->begin();
    ++linked_;
    change_estimate(estimate() + capacity_);
    return true;
}

// A block that no other thread can reach, or nullptr.
template <class T, class Reclaimer>
queue_block<T>* block_queue<T, Reclaimer>::empty_block() noexcept {
    if (spare_ == nullptr)
        reuse_settled_blocks();
    if (spare_ == nullptr)
        return allocate_block();
    return static_cast<block*>(std::exchange(spare_, spare_->next_retired));
}

template <class T, class Reclaimer>
queue_block<T>* block_queue<T, Reclaimer>::allocate_block() noexcept {
    if (capacity_ > (unlimited - block::header_bytes()) / sizeof(T))
        return nullptr;
    const std::size_t bytes = block::header_bytes() + capacity_ * sizeof(T);
    void* const memory = reclaimer_.allocate(participant_, bytes, block::alignment());
    if (memory == nullptr)
        return nullptr;
    auto* const added = ::new (memory) block(this, capacity_);
    added->dispose = [](reclaimable* used) noexcept {
        auto* const mine = static_cast<block*>(used);
        static_cast<block_queue*>(mine->queue)->take_back(*mine);
    };
    return added;
}

template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::deallocate_block(block* doomed) noexcept {
    const std::size_t bytes = block::header_bytes() + capacity_ * sizeof(T);
    doomed->~block();
    reclaimer_.deallocate(participant_, doomed, bytes, block::alignment());
}

// Called by the reclaimer: no thief protects the block any more, but a thief may still use items that it won in it.
template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::take_back(block& used) noexcept {
    reclaimable*& list = used.is_settled() ? spare_ : unsettled_;
    used.next_retired = std::exchange(list, &used);
}

// In each unsettled block a thief has items that it has not released yet, so there are never more of them than thieves.
template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::reuse_settled_blocks() noexcept {
    reclaimable* all = std::exchange(unsettled_, nullptr);
    while (all != nullptr)
        take_back(*static_cast<block*>(std::exchange(all, all->next_retired)));
}

template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::change_estimate(std::size_t items) noexcept {
    // relaxed: a hint for thieves; only the owner writes it.
    estimate_.store(items, std::memory_order_relaxed);
}

template <class T, class Reclaimer>
block_queue<T, Reclaimer>::~block_queue() {
    reclaimer_.flush(participant_);
    reuse_settled_blocks();
    TEFF_ASSERT(unsettled_ == nullptr, "a thief still holds an item of a queue that ends");
    while (spare_ != nullptr)
        deallocate_block(static_cast<block*>(std::exchange(spare_, spare_->next_retired)));
    for (block* linked = reading_; linked != nullptr;) {
        // relaxed, all: no other thread uses the queue any more, and all earlier accesses happened before.
        block* const next = linked->next.load(std::memory_order_relaxed);
        end_lives(linked->head.load(std::memory_order_relaxed), linked->tail.load(std::memory_order_relaxed));
        if (linked != &stub_)
            deallocate_block(linked);
        linked = next;
    }
    reclaimer_.anchor(participant_, nullptr);
}

template <class T, class Reclaimer>
const char* block_queue<T, Reclaimer>::check_invariants() const noexcept {
    std::size_t blocks = 0;
    bool first_found = false;
    // relaxed, all: the owner compares its own values with values that only grow.
    block* const first = first_.load(std::memory_order_relaxed);
    for (block* b = reading_; b != nullptr; b = b->next.load(std::memory_order_relaxed)) {
        const T* const head = b->head.load(std::memory_order_relaxed);
        const T* const tail = b->tail.load(std::memory_order_relaxed);
        if (!(b->begin() <= head && head <= tail && tail <= b->limit))
            return "begin <= head <= tail <= limit in each block";
        if ((b == last_) != (b->next.load(std::memory_order_relaxed) == nullptr))
            return "the last block alone has no successor";
        if (b == last_ ? tail != write_ : tail != b->limit)
            return "all blocks but the last are full, and the last up to where the owner writes";
        first_found = first_found || b == first;
        blocks += b != &stub_ ? 1 : 0;
    }
    if (!first_found)
        return "first_ is a linked block";
    if (estimate() != blocks * capacity_)
        return "the estimate is the room in the linked blocks";
    return nullptr;
}

}  // namespace teff
