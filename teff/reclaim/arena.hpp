// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer that waits for quiescence: it keeps retired blocks until flush(), which is called when the team ends.
//
// Blaze-Tasks, Table 1, "Arena". Thieves pay nothing at all, and owners pay for a list insertion. The price is
// memory: a team keeps every block that it ever used. This is the baseline that shows what the other reclaimers cost.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/reclaim/participant_state.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class arena_reclaimer {
public:
    static constexpr std::string_view name = "arena";
    using named = arena_reclaimer;

    explicit arena_reclaimer(std::size_t participants) noexcept : participants_(participants) {}
    ~arena_reclaimer() {
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
    void leave(std::size_t) noexcept {}

    template <class Block>
    Block* protect(std::size_t, const atomic<Block*>& source) noexcept {
        // acquire: sees the block initialised; partner: the release store that published it in `source`.
        return source.load(std::memory_order_acquire);
    }

    void retire(std::size_t participant, reclaimable& block) noexcept {
        participants_[participant].retired.push_back(block);
    }
    void flush(std::size_t participant) noexcept { participants_[participant].retired.dispose_all(); }
    std::size_t pending(std::size_t participant) const noexcept { return participants_[participant].retired.size(); }

private:
    struct alignas(false_sharing_range) participant_state {
        retired_list retired;
    };

    participant_array<participant_state> participants_;
};

static_assert(reclaimer<arena_reclaimer>);

}  // namespace teff
