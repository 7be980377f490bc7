// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is out of work: what a scheduler may know of the idle workers around it, and how it calls one.
//
// Two levels. The `crowd` is the process's: the pool's workers that are in no team, searching or asleep. The `hunger`
// is a team's: its members that are out of work, its caller asleep, and, while it has free slots, the crowd.
//
// The lost wake-up, and why it cannot happen (S is the single total order of seq_cst operations):
//   publisher: makes an item visible (W1);  fence F1;  reads `sleeping` (R1)
//   sleeper:   announces itself, sleeping++ (W2);  fence F2;  looks for visible items (R2);  sleeps
// If R1 does not see W2, then F1 precedes F2 in S (otherwise R1 would have to see W2), hence R2 sees W1 and the sleeper
// stays awake. If R1 sees W2, the publisher changes `event` and wakes: either the sleeper's futex_wait finds `event`
// changed since its ticket, or it sleeps and is woken.
// A publisher that sees somebody searching wakes nobody: a searcher looks again after it announced that it sleeps, so
// by the same argument it finds the item or is seen asleep. Who found something looks, after its search has ended,
// whether there is more, and calls the next sleeper.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/cache_line.hpp>
#include <teff/base/futex.hpp>

namespace teff {

// Sleepers on one event. Any thread may call anything.
class crowd {
public:
    constexpr crowd() noexcept = default;

    // relaxed: a hint; the fences of the argument above order what must be ordered.
    unsigned searching() const noexcept { return searching_.load(std::memory_order_relaxed); }
    // relaxed: as above.
    unsigned sleeping() const noexcept { return sleeping_.load(std::memory_order_relaxed); }
    unsigned idle() const noexcept { return searching() + sleeping(); }

    // relaxed: a count; a late view delays a hint.
    void begin_search() noexcept { searching_.fetch_add(1, std::memory_order_relaxed); }
    // relaxed: as above; before sleeping, prepare_sleep() orders it.
    void end_search() noexcept { searching_.fetch_sub(1, std::memory_order_relaxed); }

    // To sleep: ticket = prepare_sleep(); look again for work; then sleep(ticket) or cancel_sleep().
    std::uint32_t prepare_sleep() noexcept {
        // relaxed: ordered by the fence below (W2 of the argument).
        sleeping_.fetch_add(1, std::memory_order_relaxed);
        // relaxed: read before the fence, so a publisher's change after our look makes the ticket stale.
        const std::uint32_t ticket = event_.load(std::memory_order_relaxed);
        // seq_cst: F2 of the argument above; partner: the fence in call().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        return ticket;
    }
    // Returns false if the time-out (nanoseconds) passed without a call.
    bool sleep(std::uint32_t ticket, std::int64_t timeout_ns = futex_no_timeout) noexcept {
        const bool called = futex_wait(event_, ticket, timeout_ns);
        cancel_sleep();
        return called;
    }
    // relaxed: a late view costs one needless wake.
    void cancel_sleep() noexcept { sleeping_.fetch_sub(1, std::memory_order_relaxed); }

    // After something became visible. Wakes a sleeper unless somebody searches. Returns whether one was called.
    bool call() noexcept {
        // seq_cst: F1 of the argument above; partner: the fence in prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (sleeping() == 0 || searching() != 0)
            return false;
        wake(1);
        return true;
    }
    void call_all() noexcept {
        // seq_cst: as in call().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (sleeping() != 0)
            wake(futex_wake_all);
    }

    void reset_after_fork() noexcept {
        // relaxed: the child of a fork has one thread.
        searching_.store(0, std::memory_order_relaxed);
        // relaxed: as above.
        sleeping_.store(0, std::memory_order_relaxed);
    }

private:
    void wake(int count) noexcept {
        const void* address = event_.address();
        // relaxed: the kernel orders the sleeper's check of the word with this wake.
        event_.fetch_add(1, std::memory_order_relaxed);
        futex_wake(address, count);
    }

    alignas(false_sharing_range) atomic<std::uint32_t> searching_{0};
    atomic<std::uint32_t> sleeping_{0};
    alignas(false_sharing_range) futex_word event_{0};
};

// A team's view. The schedulers call any(), count() and work_visible(); the rest is the runtime's.
class hunger {
public:
    hunger(crowd& outside, unsigned free_slots) noexcept : outside_(outside), free_slots_(free_slots) {}

    // How many workers could take an item of this team now. A hint, read on slow paths.
    unsigned count() const noexcept {
        // relaxed: a hint.
        const unsigned members = inside_.idle();
        // relaxed: a hint.
        const unsigned free = free_slots_.load(std::memory_order_relaxed);
        if (free == 0)
            return members;
        const unsigned others = outside_.idle();
        return members + (others < free ? others : free);
    }
    bool any() const noexcept { return count() != 0; }

    // Any thread, after it made an item visible: makes sure that somebody looks.
    void work_visible() noexcept {
        if (inside_.call() || inside_.searching() != 0)
            return;
        // relaxed: a hint; a team without a free slot needs nobody from outside.
        if (free_slots_.load(std::memory_order_relaxed) != 0)
            outside_.call();
    }

    crowd& inside() noexcept { return inside_; }

    // relaxed: both under the pool's mutex, read elsewhere as a hint.
    void slot_taken() noexcept { free_slots_.fetch_sub(1, std::memory_order_relaxed); }
    // relaxed: as above.
    void slot_freed() noexcept { free_slots_.fetch_add(1, std::memory_order_relaxed); }

private:
    crowd inside_;  // members that search, and the caller when it sleeps
    crowd& outside_;
    atomic<std::uint32_t> free_slots_;
};

}  // namespace teff
