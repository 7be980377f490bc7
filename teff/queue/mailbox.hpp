// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A mailbox: a cell in which other threads put one task for its owner, without a queue between them. The owner opens it
// while it waits for work, and polls it. One cache line moves to the thread that puts the task in, and one moves back;
// only these two threads write. (Receiver-initiated work stealing with private cells: Acar, Charguéraud,
// Rainey, PPoPP 2013, section 4. There a victim answers a request; here a thread that has work looks for open cells.)
//
// The thread that has put a task in may take it back as long as the owner has not taken it. So a task never waits for
// an owner that has lost its processor, and no further task is put in before that owner looks again.
//
//   closed  -> open             open(), take()          the owner
//   open    -> the task         put()                   any thread; of several, one succeeds
//   the task -> closed          take(), close()         the owner, which then has the task
//   the task -> closed          retract()               the thread that has put it in, which then has the task again
//   open    -> closed           close()                 the owner
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/sanitizers.hpp>
#include <teff/base/shared_data.hpp>

#include <cstdint>

namespace teff {

template <class Task>
class alignas(false_sharing_range) mailbox {
public:
    // Owner. The mailbox must be closed.
    // relaxed: nothing is published with it.
    void open() noexcept { word_.store(open_mark, std::memory_order_relaxed); }
    // Owner. Returns the task that was put in and closes the mailbox; without a task returns nullptr and leaves the
    // mailbox open. A look exchanges the mark with itself, so that one transfer of the line lets the owner read and
    // write it.
    Task* take() noexcept {
        std::uintptr_t seen = open_mark;
        // relaxed: nothing was put in.
        if (word_.compare_exchange_strong(seen, open_mark, std::memory_order_relaxed, std::memory_order_relaxed))
            return nullptr;
        // acquire: sees the task; partner: the release in put(). relaxed on failure: the task was retracted.
        if (seen != closed_mark &&
            word_.compare_exchange_strong(seen, closed_mark, std::memory_order_acquire, std::memory_order_relaxed))
            return task_of(seen);
        open();
        return nullptr;
    }
    // Owner. Closes the mailbox: no task can be put in afterwards. Returns the task that was in it, or nullptr.
    Task* close() noexcept {
        // acquire: as in take().
        const std::uintptr_t seen = word_.exchange(closed_mark, std::memory_order_acquire);
        return seen <= open_mark ? nullptr : task_of(seen);
    }

    // Any thread. A hint.
    // relaxed: nothing is read through it.
    bool is_open() const noexcept { return word_.load(std::memory_order_relaxed) == open_mark; }
    // Any thread. False: the mailbox is not open, and the task stays the caller's.
    bool put(Task& given) noexcept {
        sanitizers::happens_before(&given);
        std::uintptr_t seen = open_mark;
        // release: publishes the task; partner: the acquire in take(). relaxed on failure: nothing is read through it.
        return word_.compare_exchange_strong(seen, reinterpret_cast<std::uintptr_t>(&given),
                                             std::memory_order_release, std::memory_order_relaxed);
    }
    // The thread that has put the task in, once. False: the owner has taken it.
    bool retract(Task& given) noexcept {
        auto seen = reinterpret_cast<std::uintptr_t>(&given);
        // relaxed: the owner has not touched the task, and no later task can be in the same memory before this call.
        return word_.compare_exchange_strong(seen, closed_mark, std::memory_order_relaxed, std::memory_order_relaxed);
    }

private:
    static constexpr std::uintptr_t closed_mark = 0, open_mark = 1;

    static Task* task_of(std::uintptr_t word) noexcept {
        auto* const taken = reinterpret_cast<Task*>(word);
        // Fetches the task's two lines at the same time, not one after the other.
        __builtin_prefetch(taken);
        __builtin_prefetch(reinterpret_cast<const char*>(taken) + cache_line_size);
        sanitizers::happens_after(taken);
        return taken;
    }

    atomic<std::uintptr_t> word_{closed_mark};
};
static_assert(sizeof(mailbox<int>) == false_sharing_range);

}  // namespace teff
