// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who is out of work: what a scheduler may know of the idle workers around it, and how it calls one.
//
// Two levels. The `crowd` is the process's: the pool's workers, searching or asleep, or visiting a team without having
// an item yet. The `hunger` is a team's: its members that are out of work, its caller asleep, and, while it has free
// slots, the workers of the crowd.
//
// Whoever is out of work is counted without a gap from there until it has an item, on its way between search, sleep and
// team, too: each move is one operation on one word, or adds at the destination before another word forgets it. So a
// member that looks and sees nobody has looked before somebody ran out of work, who then asks for himself.
// (A team is looked at before the crowd. Who came in between is still a visitor in the crowd, or has an item. Who went
// before is seen in the crowd: the release with which he left the team is acquired with the team's word.)
//
// The lost wake-up, and why it cannot happen (S is the single total order of seq_cst operations):
//   publisher: makes an item visible (W1);  fence F1;  reads who sleeps and who searches (R1)
//   sleeper:   turns from a searcher into a sleeper (W2);  fence F2;  looks for visible items (R2);  sleeps
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

// How many search, how many sleep on one event, and a third number beside them: in the pool's crowd the workers that
// visit a team, in a team's its free slots. Any thread may call anything.
class crowd {
public:
    constexpr explicit crowd(std::uint64_t others = 0) noexcept : state_(others * other) {}

    unsigned searching() const noexcept { return load().searching; }
    unsigned sleeping() const noexcept { return load().sleeping; }
    unsigned idle() const noexcept { return load().idle(); }

    void begin_search() noexcept { add(searcher); }
    void end_search() noexcept { add(-searcher); }

    // A searcher that goes to sleep: ticket = prepare_sleep(); look again for work; then sleep(ticket) or
    // cancel_sleep(), after which it is a searcher again.
    std::uint32_t prepare_sleep() noexcept {
        add(sleeper - searcher);  // W2 of the argument; ordered by the fence below
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
    void cancel_sleep() noexcept { add(searcher - sleeper); }

    // After something became visible. Wakes a sleeper unless somebody searches. Returns whether one was called.
    bool call() noexcept {
        // seq_cst: F1 of the argument above; partner: the fence in prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        const counts now = load();
        if (now.sleeping == 0 || now.searching != 0)
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

    // The pool's: a searcher takes a slot of a team, as a visitor until it gets its first item there (stay). Before it
    // gives the slot back it is a visitor again, and then a searcher.
    void begin_visit() noexcept { add(other - searcher); }
    void begin_stay() noexcept { add(-other); }
    void end_stay() noexcept { add(other); }
    void end_visit() noexcept { add(searcher - other); }
    // The pool's: workers that are being started search as soon as they run.
    void expect(unsigned workers) noexcept { add(workers * searcher); }
    void do_not_expect(unsigned workers) noexcept { add(-(workers * searcher)); }

    void reset_after_fork() noexcept {
        // relaxed: the child of a fork has one thread.
        state_.store(0, std::memory_order_relaxed);
    }

private:
    friend class hunger;

    struct counts {
        unsigned searching, sleeping, other;
        unsigned idle() const noexcept { return searching + sleeping; }
    };
    // One of each kind, as a part of the word; each has twenty bits.
    static constexpr unsigned field_bits = 20;
    static constexpr std::uint64_t searcher = 1, sleeper = searcher << field_bits, other = sleeper << field_bits;

    counts load() const noexcept {
        // acquire: pairs with slot_freed(); the fences of the argument above order everything else.
        const std::uint64_t word = state_.load(std::memory_order_acquire);
        constexpr std::uint64_t mask = sleeper - 1;
        return {static_cast<unsigned>(word & mask), static_cast<unsigned>(word >> field_bits & mask),
                static_cast<unsigned>(word >> 2 * field_bits)};
    }
    // relaxed: a count; a late view delays a hint or costs one needless wake.
    void add(std::uint64_t change) noexcept { state_.fetch_add(change, std::memory_order_relaxed); }

    void wake(int count) noexcept {
        const void* address = event_.address();
        // relaxed: the kernel orders the sleeper's check of the word with this wake.
        event_.fetch_add(1, std::memory_order_relaxed);
        futex_wake(address, count);
    }

    alignas(false_sharing_range) atomic<std::uint64_t> state_;
    alignas(false_sharing_range) futex_word event_{0};
};

// A team's view. The schedulers call any(), count() and work_visible(); the rest is the runtime's.
class hunger {
public:
    hunger(crowd& outside, unsigned free_slots) noexcept : outside_(outside), inside_(free_slots) {}

    // How many workers could take an item of this team now. A hint, read on slow paths; never 0 while a member is out
    // of work, or a worker that could take a slot.
    unsigned count() const noexcept {
        const crowd::counts members = inside_.load();
        const unsigned free = members.other;
        if (free == 0)
            return members.idle();
        const crowd::counts workers = outside_.load();
        const unsigned sum = members.idle() + (workers.idle() < free ? workers.idle() : free);
        // Visitors may be our own members, or others' who will not come. They matter if nobody else is there: one may
        // have come since we looked at the members.
        return sum != 0 || workers.other == 0 ? sum : 1;
    }
    bool any() const noexcept {
        const crowd::counts members = inside_.load();
        return members.other == 0 ? members.idle() != 0 : count() != 0;
    }

    // Whether work_visible() would call somebody: a look without its fence, for who looks often.
    bool would_call() const noexcept {
        const crowd::counts members = inside_.load();
        if (members.searching != 0)
            return false;
        if (members.sleeping != 0)
            return true;
        const crowd::counts workers = outside_.load();
        return members.other != 0 && workers.sleeping != 0 && workers.searching == 0;
    }

    // Any thread, after it made an item visible: makes sure that somebody looks.
    void work_visible() noexcept {
        if (inside_.call())
            return;
        const crowd::counts members = inside_.load();
        // A team without a free slot needs nobody from outside.
        if (members.searching == 0 && members.other != 0)
            outside_.call();
    }

    // The same for an item that each of the members may refuse: one that looks for work need not take it.
    void work_visible_to_some() noexcept {
        inside_.call_all();
        // A worker of the pool takes anything.
        if (inside_.load().other != 0)
            outside_.call();
    }

    crowd& inside() noexcept { return inside_; }

    // Under the pool's mutex: a worker comes, as a searcher, or goes without an item.
    void slot_taken() noexcept { inside_.add(crowd::searcher - crowd::other); }
    void slot_freed() noexcept {
        // release: who sees that he has gone sees him outside, too.
        inside_.state_.fetch_add(crowd::other - crowd::searcher, std::memory_order_release);
    }

private:
    crowd& outside_;
    crowd inside_;  // members that search, and the caller when it sleeps
};

}  // namespace teff
