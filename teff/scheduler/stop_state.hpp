// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whether the members of a team must stop running items, and why: the team was cancelled, or this process is the
// child of a fork(), where the team's other threads do not exist.
//
// Any thread may call any function. Some schedulers check the state only on their slow paths; there the thread that
// sets it must then make every member take one.
#pragma once

#include <teff/base/assert.hpp>
#include <teff/base/atomic.hpp>

#include <unistd.h>

namespace teff {

class stop_state {
public:
    // Called before the marks of the members are armed. A member that resets its marks and misses this store has its
    // marks armed again afterwards (the argument in split_deque.hpp). If a member misses the store while it enters,
    // the caller sees its slot in use.
    void cancel() noexcept {
        unsigned expected = running;
        // relaxed, both: ordered by the fence. An orphaned team stays orphaned.
        state_.compare_exchange_strong(expected, cancelled, std::memory_order_relaxed, std::memory_order_relaxed);
        // seq_cst: the store comes before the caller looks for the slots in use and arms their marks; partners: the
        // fences in split_deque::disarm() and block_queue::disarm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }
    // relaxed: the child of a fork has one thread.
    void orphan() noexcept { state_.store(orphaned, std::memory_order_relaxed); }

    // relaxed: as above.
    bool is_orphaned() const noexcept { return state_.load(std::memory_order_relaxed) == orphaned; }

    // Whether to drop items instead of running them. In an orphaned team this does not return. (Always inlined:
    // because of the call of end_orphan(), compilers would otherwise not inline it.)
    [[gnu::always_inline]] bool is_set() const noexcept {
        // relaxed: it is enough to see the state soon; nothing is read through it.
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
