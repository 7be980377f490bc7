// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why members must not go on: the team was cancelled, or the process is the child of a fork that tore it apart.
//
// Any thread may call anything. Members look on their slow paths only; whoever sets a state then makes every member
// take one.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>

#include <unistd.h>

namespace teff {

class stop_state {
public:
    // Before the marks of the members are armed: a member that resets its marks and misses this store is armed again
    // afterwards (the argument in split_deque.hpp), and one that misses it at its entry is seen to be there.
    void cancel() noexcept {
        unsigned expected = running;
        // relaxed, both: ordered by the fence. An orphaned team stays one.
        state_.compare_exchange_strong(expected, cancelled, std::memory_order_relaxed, std::memory_order_relaxed);
        // seq_cst: before the look at the slots in use and their marks; partners: the fences in the disarm()s.
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }
    // relaxed: the child of a fork has one thread.
    void orphan() noexcept { state_.store(orphaned, std::memory_order_relaxed); }

    // relaxed: as above.
    bool is_orphaned() const noexcept { return state_.load(std::memory_order_relaxed) == orphaned; }

    // Whether to drop items instead of running them. In an orphaned team this does not return.
    // (Compilers count the end of an orphan as part of it, and would call it.)
    [[gnu::always_inline]] bool is_set() const noexcept {
        // relaxed: seen soon is enough; nothing is read through it.
        const unsigned state = state_.load(std::memory_order_relaxed);
        if (state == orphaned) [[unlikely]]
            end_orphan();
        return state != running;
    }

    // Ends the process with the message.
    [[noreturn, gnu::noinline, gnu::cold]] static void end_orphan() noexcept {
        warn("a task that called fork() went on as a task in the child process; its team has no other threads here. "
             "After fork() inside a task, the child may call exec or _exit, or start new top-level work");
        ::_exit(1);
    }

private:
    static constexpr unsigned running = 0, cancelled = 1, orphaned = 2;
    atomic<unsigned> state_{running};
};

}  // namespace teff
