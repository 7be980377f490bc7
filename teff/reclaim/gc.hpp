// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer that leaves memory to the Boehm garbage collector: a block lives as long as the collector finds a pointer
// to it.
//
// Blaze-Tasks, Table 1, "Garbage Collector" (Boehm 2002). The collector is loaded when this reclaimer is first built
// (collector_library.hpp); if it cannot be loaded, valid() is false. Blocks come from the collector's heap. retire()
// does nothing, and dispose is never called. The collector searches for pointers in:
//   - the roots, two per participant, in memory of the collector: the oldest block of the participant's queue, from
//     which the queue's other blocks are linked, and the block that the participant holds;
//   - the stacks and registers of all registered threads; of a thread that runs a fiber, the fiber's stack
//     (collector_stacks.hpp). enter(), observe() and allocate() register the calling thread once, and it is
//     unregistered when it ends. So a thread must call one of the three before it holds a pointer to a block. The
//     collector suspends registered threads by two signals, which are unblocked for them;
//   - the blocks themselves, including their items.
// It does not search malloc's heap: a pointer that exists only there does not keep a block alive.
//
// Not available under sanitizers, because they rightly report the way in which the collector reads stacks.
#pragma once

#if defined(TEFF_WITH_GC)

#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class gc_reclaimer {
public:
    static constexpr std::string_view name = "gc";
    using named = gc_reclaimer;

    explicit gc_reclaimer(std::size_t participants) noexcept;
    ~gc_reclaimer();
    gc_reclaimer(const gc_reclaimer&) = delete;
    gc_reclaimer& operator=(const gc_reclaimer&) = delete;

    bool valid() const noexcept { return roots_ != nullptr; }

    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept;
    // Frees at once a block that no thief can have seen; leaving it to the collector would be correct, too.
    void deallocate(std::size_t participant, void* memory, std::size_t bytes, std::size_t alignment) noexcept;
    void anchor(std::size_t participant, void* block) noexcept { roots_[participant].anchor = block; }
    void hold(std::size_t participant, void* block) noexcept { roots_[participant].held = block; }
    void observe() noexcept { register_this_thread(); }

    void enter(std::size_t) noexcept { register_this_thread(); }
    void leave(std::size_t) noexcept {}

    template <class Block>
    Block* protect(std::size_t, const atomic<Block*>& source) noexcept {
        // acquire: sees the block initialised; partner: the release store that published it in `source`. Nothing has
        // to be announced, since the collector stops all threads before it searches their registers.
        return source.load(std::memory_order_acquire);
    }

    void retire(std::size_t, reclaimable&) noexcept {}
    void flush(std::size_t) noexcept {}
    std::size_t pending(std::size_t) const noexcept { return 0; }

    // Returns false if the collector has no memory for the registration.
    static bool register_this_thread() noexcept;

private:
    struct root_pair {
        void* anchor;
        void* held;
    };
    root_pair* roots_;
};

static_assert(reclaimer<gc_reclaimer>);

}  // namespace teff

#endif
