// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How idle threads sleep and are woken: an event count (Reed and Kanodia, "Synchronization with Eventcounts and
// Sequencers", 1979) on a futex, which also counts the threads that search and those that sleep.
//
// A publisher makes an item visible, then notifies. A sleeper announces that it will sleep, looks once more, and only
// then sleeps. No wake-up is lost (S is the single total order of seq_cst operations):
//   publisher: makes an item visible (W1);  fence F1;  reads the counts of sleepers and searchers (R1)
//   sleeper:   counts itself as a sleeper, no longer a searcher (W2);  fence F2;  looks for items (R2);  sleeps
// If R1 does not see W2, then F1 precedes F2 in S (otherwise R1 would have to see W2), hence R2 sees W1 and the
// sleeper stays awake. If R1 sees W2, the publisher changes the event's word and wakes: either the sleeper's
// futex_wait finds that the word has changed since its ticket, or it sleeps and is woken.
//
// A publisher that sees a searcher wakes no thread. That is safe: a searcher looks again after it has announced its
// sleep, so by the same argument it finds the item, or the publisher sees it as a sleeper. A searcher that has found
// an item ends its search, looks whether there are more, and wakes the next sleeper.
//
// A thread can sleep on one event count and be a **second sleeper** of others, which then wake it as well: a member of
// several teams that waits in the innermost one (team/outer_work.hpp). It counts as a sleeper of each of them, and the
// argument above holds for each. It is woken through the word that it sleeps on, so all other threads that sleep on
// this word are woken, too, and look in vain; such sleeps are rare.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/futex.hpp>
#include <teff/base/intrusive.hpp>
#include <teff/base/locks.hpp>
#include <teff/base/shared_data.hpp>
#include <teff/machine/wake_placement.hpp>

#include <cstdint>

namespace teff {

// Counts searchers, those of them that rest between two looks, sleepers, and a fourth number, `other`: in the pool's
// event count the workers that visit a team, in a team's event count its free slots. Any thread may call any function.
class event_count {
public:
    constexpr explicit event_count(std::uint64_t others = 0) noexcept : state_(others * other) {}
    // For the pool. `placement` chooses which worker is woken, and on which processor.
    constexpr explicit event_count(wake_placement& placement) noexcept : state_(0), placement_(&placement) {}

    unsigned searching() const noexcept { return load().searching; }
    unsigned resting() const noexcept { return load().resting; }
    unsigned sleeping() const noexcept { return load().sleeping; }
    unsigned idle() const noexcept { return load().idle(); }

    void begin_search() noexcept { add(searcher); }
    void end_search() noexcept { add(-searcher); }
    // A searcher rests for some microseconds. begin_rest() returns how many others rest.
    unsigned begin_rest() noexcept {
        // relaxed: as in add().
        return static_cast<unsigned>(state_.fetch_add(rester, std::memory_order_relaxed) >> 3 * field_bits);
    }
    void end_rest() noexcept { add(-rester); }

    // How a searcher goes to sleep: ticket = prepare_sleep(); look for work once more; then sleep(ticket) or
    // cancel_sleep(). After either call it counts as a searcher again.
    std::uint32_t prepare_sleep() noexcept {
        add(sleeper - searcher);  // W2 of the argument; ordered by the fence below
        // relaxed: read before the fence, so a publisher's change after our look makes the ticket stale.
        const std::uint32_t ticket = event_.load(std::memory_order_relaxed);
        // seq_cst: F2 of the argument above; partner: the fence in notify_one().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        return ticket;
    }
    // Returns false if the time-out (nanoseconds) passed without a notification.
    bool sleep(std::uint32_t ticket, std::int64_t timeout_ns = futex_no_timeout) noexcept {
        const bool was_notified = futex_wait(event_, ticket, timeout_ns);
        cancel_sleep();
        return was_notified;
    }
    // Sleeps for at most this time and still counts as a sleeper afterwards, so that sleep() or cancel_sleep() must
    // follow. Returns whether it was notified.
    bool is_notified_within(std::uint32_t ticket, std::int64_t timeout_ns) const noexcept {
        return futex_wait(event_, ticket, timeout_ns);
    }
    // The same two operations for a worker of the pool.
    bool is_notified_within(std::uint32_t ticket, std::int64_t timeout_ns, unsigned worker) noexcept {
        return placement_->sleep(worker, event_, ticket, timeout_ns);
    }
    void sleep_as(unsigned worker, std::uint32_t ticket) noexcept {
        placement_->sleep(worker, event_, ticket);
        cancel_sleep();
    }
    void cancel_sleep() noexcept { add(searcher - sleeper); }

    // A thread that is about to sleep on `sleeps_on` calls add_second() after it has announced that sleep, and then
    // looks once more for the work that this event count announces. After the sleep it calls remove_second(); until
    // then neither of the two event counts may be destroyed.
    struct second_sleeper : list_hook {
        event_count* sleeps_on = nullptr;
    };
    void add_second(second_sleeper& self, event_count& sleeps_on) noexcept {
        self.sleeps_on = &sleeps_on;
        {
            const scoped_lock lock(seconds_mutex_);
            seconds_.push_back(self);
            // relaxed: a part of W2; ordered by the fence below.
            has_seconds_.store(true, std::memory_order_relaxed);
        }
        add(sleeper);
        // seq_cst: F2 of the argument above; partner: the fence in notify_one().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
    }
    void remove_second(second_sleeper& self) noexcept {
        add(-sleeper);
        const scoped_lock lock(seconds_mutex_);
        seconds_.remove(self);
        // relaxed: a thread that still reads true finds the list empty.
        has_seconds_.store(!seconds_.empty(), std::memory_order_relaxed);
    }

    // Called after an item became visible. Wakes a sleeper unless a thread searches. Returns whether it woke one.
    bool notify_one() noexcept {
        // seq_cst: F1 of the argument above; partner: the fence in prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        const counts now = load();
        if (now.sleeping == 0 || now.searching != 0)
            return false;
        wake_one();
        return true;
    }
    void notify_all() noexcept {
        // seq_cst: as in notify_one().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (sleeping() != 0)
            wake_all();
    }

    // For the pool. A searcher that takes a slot of a team is a visitor (`other`) until it gets its first item there.
    // Before it gives the slot back it is a visitor again, and then a searcher.
    void begin_visit() noexcept { add(other - searcher); }
    void begin_work() noexcept { add(-other); }
    void end_work() noexcept { add(other); }
    void end_visit() noexcept { add(searcher - other); }
    // For the pool. Workers that are being started count as searchers already.
    void expect(unsigned workers) noexcept { add(workers * searcher); }
    void do_not_expect(unsigned workers) noexcept { add(-(workers * searcher)); }

    void reset_after_fork() noexcept {
        // relaxed: the child of a fork has one thread.
        state_.store(0, std::memory_order_relaxed);
    }

private:
    friend class idle_tracker;

    struct counts {
        unsigned searching, sleeping, other, resting;
        unsigned idle() const noexcept { return searching + sleeping; }
    };
    // The word has four fields, each for more threads than a process may have (4096). These constants are one unit of
    // each field.
    static constexpr unsigned field_bits = 16;
    static constexpr std::uint64_t searcher = 1, sleeper = searcher << field_bits, other = sleeper << field_bits,
                                   rester = other << field_bits;

    counts load() const noexcept {
        // acquire: partner: the release in idle_tracker::slot_freed(); the fences of the argument above order
        // everything else.
        const std::uint64_t word = state_.load(std::memory_order_acquire);
        constexpr std::uint64_t mask = sleeper - 1;
        return {static_cast<unsigned>(word & mask), static_cast<unsigned>(word >> field_bits & mask),
                static_cast<unsigned>(word >> 2 * field_bits & mask), static_cast<unsigned>(word >> 3 * field_bits)};
    }
    // relaxed: only a count, and the fences order what matters; a stale value delays a hint or costs one needless
    // wake-up.
    void add(std::uint64_t change) noexcept { state_.fetch_add(change, std::memory_order_relaxed); }

    void wake_one() noexcept {
        wake_seconds();
        const void* address = event_.address();
        wake_placement* const placement = placement_;
        change_event();
        if (placement == nullptr || !placement->wake_one(address))
            futex_wake(address, 1);
    }
    void wake_all() noexcept {
        wake_seconds();
        wake_all_here();
    }
    void wake_all_here() noexcept {
        const void* address = event_.address();
        change_event();
        futex_wake(address, futex_wake_all);
    }
    // A second sleeper in the list has not returned from remove_second(), so both event counts still exist.
    void wake_seconds() noexcept {
        // relaxed: ordered by the fence in notify_one() (R1).
        if (!has_seconds_.load(std::memory_order_relaxed)) [[likely]]
            return;
        const scoped_lock lock(seconds_mutex_);
        seconds_.find([](second_sleeper& each) {
            each.sleeps_on->wake_all_here();
            return false;
        });
    }
    // After the store the event count may already be destroyed.
    // relaxed: the kernel orders the sleeper's check of the word with the wake that follows.
    void change_event() noexcept { event_.fetch_add(1, std::memory_order_relaxed); }

    alignas(false_sharing_range) atomic<std::uint64_t> state_;
    alignas(false_sharing_range) futex_word event_{0};
    wake_placement* placement_ = nullptr;
    atomic<bool> has_seconds_{false};
    mutex seconds_mutex_;
    intrusive_list<second_sleeper> seconds_;
};

}  // namespace teff
