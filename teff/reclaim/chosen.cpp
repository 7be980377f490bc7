// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a reclaimer from its name; the only file that uses the classes of all reclaimers.
#include <teff/reclaim/chosen.hpp>

#include <teff/base/allocation.hpp>
#include <teff/reclaim/arena.hpp>
#include <teff/reclaim/epoch.hpp>
#include <teff/reclaim/gc.hpp>

#include <type_traits>

namespace teff {

template <reclaimer R>
struct chosen_reclaimer::holder final : any_reclaimer {
    template <class... Arguments>
    explicit holder(Arguments... arguments) noexcept : held(arguments...) {}

    bool valid() const noexcept override { return held.valid(); }
    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept override {
        return held.allocate(participant, bytes, alignment);
    }
    void deallocate(std::size_t participant, void* memory, std::size_t bytes, std::size_t alignment) noexcept override {
        held.deallocate(participant, memory, bytes, alignment);
    }
    void anchor(std::size_t participant, void* block) noexcept override { held.anchor(participant, block); }
    void hold(std::size_t participant, void* block) noexcept override { held.hold(participant, block); }
    void observe() noexcept override { held.observe(); }
    void enter(std::size_t participant) noexcept override { held.enter(participant); }
    void leave(std::size_t participant) noexcept override { held.leave(participant); }
    void retire(std::size_t participant, reclaimable& block) noexcept override { held.retire(participant, block); }
    void flush(std::size_t participant) noexcept override { held.flush(participant); }
    std::size_t pending(std::size_t participant) const noexcept override { return held.pending(participant); }

    R held;
};

chosen_reclaimer::chosen_reclaimer(std::string_view name, std::size_t participants,
                                   std::size_t threshold) noexcept {
    const auto choose = [this]<class R>(std::type_identity<R>, auto... arguments) {
        static_assert(named_reclaimer<R>, "execute_tasks<R> would not choose it by its name");
        auto* const made = create<holder<R>>(arguments...);
        chosen_ = made;
        if constexpr (std::is_same_v<R, hazard_reclaimer>)
            hazard_ = made == nullptr ? nullptr : &made->held;
    };
    if (name == epoch_reclaimer::name)
        choose(std::type_identity<epoch_reclaimer>{}, participants, threshold);
    else if (name == arena_reclaimer::name)
        choose(std::type_identity<arena_reclaimer>{}, participants);
    else if (name == hazard_reclaimer::name)
        choose(std::type_identity<hazard_reclaimer>{}, participants, threshold);
#if defined(TEFF_WITH_GC)
    else if (name == gc_reclaimer::name)
        choose(std::type_identity<gc_reclaimer>{}, participants);
#endif
}

}  // namespace teff
