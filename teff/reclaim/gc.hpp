// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reclaimer that leaves memory to the Boehm garbage collector: a block lives while any pointer to it can be found.
//
// Blaze-Tasks, Table 1, "Garbage Collector" (Boehm 2002). Built only where TEFF_WITH_GC is defined. Blocks come from
// the collector's heap; retire() merely forgets them, and dispose is never called. What the collector searches:
//   - the roots, two per participant, in memory of the collector: the oldest block of its queue, from which the queue's
//     other blocks are linked, and the block that it holds;
//   - the stacks and registers of all threads that have registered. enter(), observe() and allocate() register the
//     calling thread (once; it is taken off when the thread ends), so a thread must call one of them before it holds a
//     block. The collector suspends registered threads by two signals, which are unblocked for them;
//   - the blocks themselves, items included.
// It does not search malloc's heap: a pointer to a block that is only there does not count.
//
// Not available under sanitizers: the collector reads stacks in a way that they rightly report.
#pragma once

#if defined(TEFF_WITH_GC)

#include <teff/reclaim/reclaimer.hpp>

#include <cstddef>
#include <string_view>

namespace teff {

class gc_reclaimer {
public:
    static constexpr std::string_view name = "gc";

    explicit gc_reclaimer(std::size_t participants) noexcept;
    ~gc_reclaimer();
    gc_reclaimer(const gc_reclaimer&) = delete;
    gc_reclaimer& operator=(const gc_reclaimer&) = delete;

    bool valid() const noexcept { return roots_ != nullptr; }

    void* allocate(std::size_t participant, std::size_t bytes, std::size_t alignment) noexcept;
    // Returns at once what no thief can have seen; leaving it to the collector would be correct too.
    void deallocate(std::size_t participant, void* memory, std::size_t bytes, std::size_t alignment) noexcept;
    void anchor(std::size_t participant, void* block) noexcept { roots_[participant].anchor = block; }
    void hold(std::size_t participant, void* block) noexcept { roots_[participant].held = block; }
    void observe() noexcept { register_this_thread(); }

    void enter(std::size_t) noexcept { register_this_thread(); }
    void leave(std::size_t) noexcept {}

    template <class Block>
    Block* protect(std::size_t, const atomic<Block*>& source) noexcept {
        // acquire: sees the block that the release store to `source` published. The collector stops all threads before
        // it searches their registers, so nothing has to be announced.
        return source.load(std::memory_order_acquire);
    }

    void retire(std::size_t, reclaimable&) noexcept {}
    void flush(std::size_t) noexcept {}
    std::size_t pending(std::size_t) const noexcept { return 0; }

private:
    // Returns false if the collector has no memory to remember the thread.
    static bool register_this_thread() noexcept;

    struct root_pair {
        void* anchor;
        void* held;
    };
    root_pair* roots_;
};

static_assert(reclaimer<gc_reclaimer>);

}  // namespace teff

#endif
