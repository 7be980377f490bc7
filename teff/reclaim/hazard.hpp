// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer by publish and scan: a thief announces the one block that it accesses; an owner frees the blocks that no
// thief has announced.
//
// Blaze-Tasks, Table 1, "Publish and Scan" (Michael 2002; Herlihy, Luchangco, Moir 2005). One announcement per
// participant is enough, since a thief of block_queue accesses one block at a time. Not blocking: a participant that
// stops inside delays only a single block. Thieves pay one full fence per block instead of one per visit.
//
// The owner scans when `threshold` blocks have been retired since its last scan. The threshold is at least twice the
// number of participants N, so every scan frees at least half of that many blocks. A scan reads N announcements for
// each block. Rejected: a sorted copy of the announcements. It needs memory, which may not be available, and would
// gain little, since a block is retired only once in about a hundred items.
//
// Why no thief can access a disposed block. Thief:  W announced=p;  F1;  R source==p. Owner:  source is past p
// (written by the owner or read by it);  F2;  R announced. F1 and F2 are sequentially consistent fences, so one of
// them is first in their total order. If F1 is first, the owner's R sees p (or what the thief wrote later, after its
// last access to p). If F2 is first, the thief's R sees `source` past p, and the thief tries again with another
// block.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/light_standard.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/participant_state.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class hazard_reclaimer {
public:
    static constexpr std::string_view name = "hazard";
    using named = hazard_reclaimer;

    // threshold: the number of retired blocks per scan; raised to twice the number of participants.
    explicit hazard_reclaimer(std::size_t participants, std::size_t threshold = default_threshold) noexcept
        : participants_(participants), threshold_(larger(2 * participants, threshold)) {}
    ~hazard_reclaimer() {
        for (std::size_t i = 0; i < participants_.size(); ++i)
            flush(i);
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

    void enter(std::size_t) noexcept {}
    void leave(std::size_t participant) noexcept {
        // release: the accesses to the block happen before what an owner does after it has read this value; partner:
        // the acquire in is_announced().
        participants_[participant].announced.store(nullptr, std::memory_order_release);
    }

    template <class Block>
    Block* protect(std::size_t participant, const atomic<Block*>& source) noexcept {
        atomic<const reclaimable*>& announced = participants_[participant].announced;
        // relaxed: a guess, which the loop confirms.
        Block* block = source.load(std::memory_order_relaxed);
        for (;;) {
            // release: ends the protection of the block that was announced before; partner: the acquire in
            // is_announced().
            announced.store(block, std::memory_order_release);
            // seq_cst: F1 of the argument above; partner: the fence in scan().
            teff::atomic_thread_fence(std::memory_order_seq_cst);
            // acquire: sees the block initialised; partner: the release store that published it in `source`.
            Block* const confirmed = source.load(std::memory_order_acquire);
            if (confirmed == block)
                return block;
            block = confirmed;
        }
    }

    void retire(std::size_t participant, reclaimable& block) noexcept {
        owner_state& mine = participants_[participant].owned;
        mine.retired.push_back(block);
        if (mine.retired.size() >= mine.kept + threshold_)
            scan(mine);
    }

    void flush(std::size_t participant) noexcept {
        owner_state& mine = participants_[participant].owned;
        mine.retired.dispose_all();
        mine.kept = 0;
    }

    std::size_t pending(std::size_t participant) const noexcept {
        return participants_[participant].owned.retired.size();
    }

private:
    static constexpr std::size_t default_threshold = 16;

    struct owner_state {
        retired_list retired;
        std::size_t kept = 0;  // how many blocks of `retired` the last scan found announced
    };
    struct alignas(false_sharing_range) participant_state {
        // the participant writes, all participants read
        atomic<const reclaimable*> announced{nullptr};
        // only the thread that acts for the participant as an owner
        alignas(false_sharing_range) owner_state owned;
    };

    [[gnu::noinline]] void scan(owner_state& mine) noexcept {
        // seq_cst: F2 of the argument above, for all blocks retired so far; partner: the fence in protect().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        mine.retired.dispose_unless([this](const reclaimable& block) { return is_announced(block); });
        mine.kept = mine.retired.size();
    }

    bool is_announced(const reclaimable& block) const noexcept {
        // acquire: a thief that has replaced its announcement of the block no longer accesses the block; partner: the
        // releases in leave() and protect().
        for (const participant_state& other : participants_)
            if (other.announced.load(std::memory_order_acquire) == &block)
                return true;
        return false;
    }

    participant_array<participant_state> participants_;
    std::size_t threshold_;
};

static_assert(reclaimer<hazard_reclaimer>);

}  // namespace teff
