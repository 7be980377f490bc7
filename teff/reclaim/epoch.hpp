// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer by epochs: a block can be freed once every participant has moved on since the block was retired.
//
// Blaze-Tasks, section 2.3 (after Brown 2015). Each participant has a counter that it alone increments, on enter()
// and on leave(); an odd value means that it is inside. A time stamp is the vector of all counters. Retired blocks
// first wait untagged. When there are `threshold` of them, the owner reads a time stamp and tags all of them with it.
// The threshold is at least the number of participants N, so that reading N counters costs O(1) per block. A tagged
// block is free when, for each participant i, either the tag's counter i is even (i was outside) or the counter of i
// has changed since.
//
// Differs from the paper: an owner keeps one tag at a time. While the tagged batch waits for a slow thief, the next
// batch grows untagged, and it is tagged when the first batch is free. So no tag is allocated per batch, and at most
// two thresholds of blocks wait while thieves make progress. The tag's memory is allocated at its first use, so
// owners that never retire a block pay nothing. If there is no memory for the tag, blocks wait for a later attempt or
// for flush().
// Like every epoch scheme, this one is blocking: one participant that stays inside keeps all retired memory from
// being freed. It never affects correctness.
//
// Why no thief can access a disposed block. Thief:  W counter=odd;  F1;  R source. Owner:  source is past the block
// (written by the owner or read by it);  F2;  R counter. F1 and F2 are sequentially consistent fences, so one of them
// is first in their total order. If F1 is first, the owner's R sees the odd value or a later one. A later one means
// that the thief has left. The odd value makes the tag odd, so the block waits until the counter changes, that is
// until leave(). If F2 is first, the thief's R sees `source` past the block, so the thief never obtains the block.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/participant_state.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teff {

class epoch_reclaimer {
public:
    static constexpr std::string_view name = "epoch";
    using named = epoch_reclaimer;

    // threshold: the number of retired blocks per tag; raised to the number of participants.
    explicit epoch_reclaimer(std::size_t participants, std::size_t threshold = default_threshold) noexcept
        : participants_(participants), threshold_(larger(participants, threshold)) {}
    ~epoch_reclaimer() {
        for (std::size_t i = 0; i < participants_.size(); ++i) {
            flush(i);
            std::uint64_t* const tag = participants_[i].owned.tag;
            if (tag != nullptr)
                teff::deallocate(tag, tag_bytes(), alignof(std::uint64_t));
        }
    }

    bool valid() const noexcept { return participants_.valid(); }

    void* allocate(std::size_t, std::size_t bytes, std::size_t alignment) noexcept {
        return teff::allocate(bytes, alignment);
    }
    void deallocate(std::size_t, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
        teff::deallocate(memory, bytes, alignment);
    }
    void anchor(std::size_t, void*) noexcept {}
    void hold(std::size_t, void*) noexcept {}
    void observe() noexcept {}

    void enter(std::size_t participant) noexcept {
        atomic<std::uint64_t>& counter = participants_[participant].counter;
        // relaxed: only this participant writes its counter.
        const std::uint64_t before = counter.load(std::memory_order_relaxed);
        // release: an owner may read this value instead of the one that the last leave() stored, and then also needs
        // everything that this participant did inside before that leave(); partner: the acquires in moved_on() and
        // tag(). The fence below orders this store before the loads of shared pointers.
        counter.store(before + 1, std::memory_order_release);
        // seq_cst: F1 of the argument above; partner: the fence in collect().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }

    void leave(std::size_t participant) noexcept {
        atomic<std::uint64_t>& counter = participants_[participant].counter;
        // relaxed: only this participant writes its counter.
        const std::uint64_t inside = counter.load(std::memory_order_relaxed);
        // release: what this participant did inside happens before everything that an owner does after moved_on(),
        // and before the disposal of the blocks that tag() tags; partner: the acquires in these two functions.
        counter.store(inside + 1, std::memory_order_release);
    }

    template <class Block>
    Block* protect(std::size_t, const atomic<Block*>& source) noexcept {
        // acquire: sees the block initialised; partner: the release store that published it in `source`.
        return source.load(std::memory_order_acquire);
    }

    void retire(std::size_t participant, reclaimable& block) noexcept {
        owner_state& mine = participants_[participant].owned;
        mine.untagged.push_back(block);
        if (mine.untagged.size() >= mine.next_collection + threshold_)
            collect(mine);
    }

    void flush(std::size_t participant) noexcept {
        owner_state& mine = participants_[participant].owned;
        mine.tagged.dispose_all();
        mine.untagged.dispose_all();
        mine.next_collection = 0;
    }

    std::size_t pending(std::size_t participant) const noexcept {
        const owner_state& mine = participants_[participant].owned;
        return mine.tagged.size() + mine.untagged.size();
    }

private:
    static constexpr std::size_t default_threshold = 16;

    struct owner_state {
        retired_list untagged;
        retired_list tagged;
        std::uint64_t* tag = nullptr;
        // How many blocks were untagged when the last attempt to free blocks failed; the next attempt is one
        // threshold later.
        std::size_t next_collection = 0;
    };
    struct alignas(false_sharing_range) participant_state {
        // the participant writes, all participants read
        atomic<std::uint64_t> counter{0};
        // only the thread that acts for the participant as an owner
        alignas(false_sharing_range) owner_state owned;
    };

    std::size_t tag_bytes() const noexcept { return participants_.size() * sizeof(std::uint64_t); }

    [[gnu::noinline]] void collect(owner_state& mine) noexcept {
        // seq_cst: F2 of the argument above, for all blocks retired so far; partner: the fence in enter().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (mine.tag == nullptr)
            mine.tag = static_cast<std::uint64_t*>(teff::allocate(tag_bytes(), alignof(std::uint64_t)));
        if (mine.tag == nullptr || (mine.tagged.size() != 0 && !moved_on(mine))) {
            mine.next_collection = mine.untagged.size();
            return;
        }
        mine.tagged.dispose_all();
        tag(mine);
    }

    bool moved_on(const owner_state& mine) const noexcept {
        for (std::size_t i = 0; i < participants_.size(); ++i) {
            const bool was_inside = mine.tag[i] % 2 != 0;
            // acquire: the participant's reads of the block are over; partner: the release in leave(), or in a later
            // enter().
            if (was_inside && participants_[i].counter.load(std::memory_order_acquire) == mine.tag[i])
                return false;
        }
        return true;
    }

    void tag(owner_state& mine) noexcept {
        for (std::size_t i = 0; i < participants_.size(); ++i) {
            // acquire: an even counter is not read again before the blocks are disposed of; partner: the release in
            // leave(). (The fence at the beginning of the collect() that disposes of them would suffice, but
            // ThreadSanitizer does not understand fences.)
            mine.tag[i] = participants_[i].counter.load(std::memory_order_acquire);
        }
        mine.tagged = mine.untagged.take();
        mine.next_collection = 0;
    }

    participant_array<participant_state> participants_;
    std::size_t threshold_;
};

static_assert(reclaimer<epoch_reclaimer>);

}  // namespace teff
