// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reclaimer that is chosen by name when it is built: one class for all reclaimers of names.hpp.
//
// Schedulers that free shared nodes are compiled with this class. Structures call their reclaimer once per block, per
// steal or per look of a thief, so a virtual call there has no measurable cost. With the reclaimer as a template
// parameter, every call of a reduction would compile its scheduler once for each reclaimer. For the rules of calling
// it see reclaimer.hpp.
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/reclaim/hazard.hpp>
#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class chosen_reclaimer {
public:
    // name: one of names.hpp, otherwise valid() is false. threshold: as in epoch.hpp and hazard.hpp.
    chosen_reclaimer(std::string_view name, std::size_t participants, std::size_t threshold) noexcept;
    chosen_reclaimer(const chosen_reclaimer&) = delete;
    chosen_reclaimer& operator=(const chosen_reclaimer&) = delete;
    ~chosen_reclaimer() { delete chosen_; }

    bool valid() const noexcept { return chosen_ != nullptr && chosen_->valid(); }

    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept {
        return chosen_->allocate(participant, bytes, alignment);
    }
    void deallocate(std::size_t participant, void* memory, std::size_t bytes, std::size_t alignment) noexcept {
        chosen_->deallocate(participant, memory, bytes, alignment);
    }
    void anchor(std::size_t participant, void* block) noexcept { chosen_->anchor(participant, block); }
    void hold(std::size_t participant, void* block) noexcept { chosen_->hold(participant, block); }
    void observe() noexcept { chosen_->observe(); }

    void enter(std::size_t participant) noexcept { chosen_->enter(participant); }
    void leave(std::size_t participant) noexcept { chosen_->leave(participant); }

    // A template, so it cannot be virtual. Only hazard does more here than a load.
    template <class Block>
    Block* protect(std::size_t participant, const atomic<Block*>& source) noexcept {
        if (hazard_ != nullptr)
            return hazard_->protect(participant, source);
        // acquire: sees the block initialised; partner: the release store that published it in `source`.
        return source.load(std::memory_order_acquire);
    }

    void retire(std::size_t participant, reclaimable& block) noexcept { chosen_->retire(participant, block); }
    void flush(std::size_t participant) noexcept { chosen_->flush(participant); }
    std::size_t pending(std::size_t participant) const noexcept { return chosen_->pending(participant); }

private:
    struct any_reclaimer : deleted_through_base {
        virtual ~any_reclaimer() = default;
        virtual bool valid() const noexcept = 0;
        virtual void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept = 0;
        virtual void deallocate(std::size_t participant, void* memory, std::size_t bytes,
                                std::size_t alignment) noexcept = 0;
        virtual void anchor(std::size_t participant, void* block) noexcept = 0;
        virtual void hold(std::size_t participant, void* block) noexcept = 0;
        virtual void observe() noexcept = 0;
        virtual void enter(std::size_t participant) noexcept = 0;
        virtual void leave(std::size_t participant) noexcept = 0;
        virtual void retire(std::size_t participant, reclaimable& block) noexcept = 0;
        virtual void flush(std::size_t participant) noexcept = 0;
        virtual std::size_t pending(std::size_t participant) const noexcept = 0;
    };
    template <reclaimer R>
    struct holder;

    any_reclaimer* chosen_ = nullptr;
    hazard_reclaimer* hazard_ = nullptr;  // the reclaimer in chosen_ if it is a hazard_reclaimer
};

static_assert(reclaimer<chosen_reclaimer>);

}  // namespace teff
