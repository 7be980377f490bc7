// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of block_queue that run once per block or per theft; included by block_queue.hpp only.
//
// Everything here but claim_steal() and may_have_items() is the owner's.
#pragma once

#include <teff/queue/block_queue.hpp>

#include <algorithm>

namespace teff {

template <class T, class Reclaimer>
stolen_items<T> block_queue<T, Reclaimer>::claim_steal(std::size_t thief, unsigned attempts,
                                                       std::size_t most) noexcept {
    const scoped_participation<Reclaimer> inside(reclaimer_, thief);
    for (;;) {
        block* const from = reclaimer_.protect(thief, first_);
        for (;;) {
            // acquire: the items before `end` are seen; partner: the release in place().
            T* const end = from->tail.load(std::memory_order_acquire);
            // relaxed: only competes for slots. The swap below succeeds only if head is this value still, and all that
            // it wins is before `end`, so these slots hold visible items.
            T* slot = from->head.load(std::memory_order_relaxed);
            if (slot == from->limit)
                break;
            if (slot == end)
                return {};
            // A head beyond `end` means that `end` is outdated.
            if (slot < end) {
                const std::size_t taken = std::min(most, (static_cast<std::size_t>(end - slot) + 1) / 2);
                // relaxed, both: as above; the items came with `end`.
                if (from->head.compare_exchange_strong(slot, slot + taken, std::memory_order_relaxed,
                                                       std::memory_order_relaxed)) {
                    reclaimer_.hold(thief, from);
                    return {steal_outcome::won, slot, taken, from};
                }
            }
            if (--attempts == 0)
                return {steal_outcome::contended, nullptr, 0, nullptr};
        }
        // acquire: passes on the initialised block by the swap below; partner: the release in add_block().
        block* const next = from->next.load(std::memory_order_acquire);
        if (next == nullptr) {
            // relaxed: if the block lost its successor because it was retired, then the acquire above makes us see that
            // first_ had moved on.
            if (first_.load(std::memory_order_relaxed) == from)
                return {};
            continue;
        }
        block* expected = from;
        // release: who reads `next` from first_ (acquire in protect()) sees it initialised. relaxed on failure:
        // somebody else has moved on.
        first_.compare_exchange_strong(expected, next, std::memory_order_release, std::memory_order_relaxed);
    }
}

template <class T, class Reclaimer>
bool block_queue<T, Reclaimer>::may_have_items() const noexcept {
    reclaimer_.observe();
    for (;;) {
        // acquire: sees the block initialised; partner: the release that published it in first_.
        const block* const from = first_.load(std::memory_order_acquire);
        // relaxed, both: a hint; the block may be spare or in another life by now.
        const T* const head = from->head.load(std::memory_order_relaxed);
        if (head != from->limit)
            return head != from->tail.load(std::memory_order_relaxed);
        // acquire: as in claim_steal(): a block that was retired under our eyes shows that first_ had moved on.
        if (from->next.load(std::memory_order_acquire) != nullptr)
            return true;
        // relaxed: as in claim_steal().
        if (first_.load(std::memory_order_relaxed) == from)
            return false;
    }
}

template <class T, class Reclaimer>
[[gnu::noinline]] T* block_queue<T, Reclaimer>::claim_behind() noexcept {
    while (reading_ != last_) {
        leave_exhausted_blocks();
        if (T* const slot = claim_from(*reading_))
            return slot;
    }
    return nullptr;
}

// Moves reading_ over the blocks whose slots are all claimed and retires them. The last block stays.
template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::leave_exhausted_blocks() noexcept {
    // relaxed: head only grows during a life of the block, and its limit is final.
    while (reading_ != last_ && reading_->head.load(std::memory_order_relaxed) == reading_->limit) {
        block* const used = reading_;
        // relaxed: the owner wrote it.
        block* const next = used->next.load(std::memory_order_relaxed);
        block* expected = used;
        // release: who reads `next` from first_ sees it initialised. relaxed on failure: a thief has moved on already;
        // the reclaimer's fence orders this look at first_ before its look at the thieves.
        first_.compare_exchange_strong(expected, next, std::memory_order_release, std::memory_order_relaxed);
        used->owner_share = static_cast<std::size_t>(claimed_ - claimed_before_);
        claimed_before_ = claimed_;
        reading_ = next;
        reclaimer_.anchor(participant_, next);
        if (used == &stub_)
            continue;
        // A block that a collector keeps by mistake must not keep all that came after it.
        // release: who sees it sees that first_ has moved on; partner: the acquire of `next` in claim_steal().
        used->next.store(nullptr, std::memory_order_release);
        change_estimate(estimate() - capacity_);
        reclaimer_.retire(participant_, *used);
    }
}

template <class T, class Reclaimer>
[[gnu::noinline]] bool block_queue<T, Reclaimer>::add_block(std::size_t max_items) noexcept {
    leave_exhausted_blocks();
    // The last block stays linked when it is used up; it holds nothing then.
    // relaxed: head only grows during a life of the block.
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
    // release: the block's fields are seen with it; partner: the acquire of `next` in claim_steal().
    last_->next.store(added, std::memory_order_release);
    // relaxed: only the owner and arm() write the mark. A mark that was armed stays so, for somebody waits for an
    // answer.
    T* mark = last_->limit;
    mark_.compare_exchange_strong(mark, added->limit, std::memory_order_relaxed, std::memory_order_relaxed);
    last_ = added;
    write_ = added->begin();
    ++linked_;
    change_estimate(estimate() + capacity_);
    return true;
}

// A block that nobody else knows, or nullptr.
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

// From the reclaimer: no thief looks at the block any more, though one may be moving an item out of it.
template <class T, class Reclaimer>
void block_queue<T, Reclaimer>::take_back(block& used) noexcept {
    reclaimable*& list = used.is_settled() ? spare_ : unsettled_;
    used.next_retired = std::exchange(list, &used);
}

// Each unsettled block has a thief at work, so there are never more of them than thieves.
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
        // relaxed, all: nobody else uses the queue any more, and the owner's accesses happened before.
        block* const next = linked->next.load(std::memory_order_relaxed);
        std::destroy(linked->head.load(std::memory_order_relaxed), linked->tail.load(std::memory_order_relaxed));
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
    // relaxed, all: the owner compares its own values with those that only grow.
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
