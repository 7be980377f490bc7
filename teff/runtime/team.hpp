// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An elastic team: one scheduler instance with member slots, in which the caller is slot 0 and workers come and go.
//
// The class here is what all front ends share: slots, who is out of work, the first exception, and how a member
// searches. The front end derives from it, owns the scheduler, and implements the rest of work_source.
//
// Life: the caller constructs it, opens it in the pool, works as slot 0 until the scheduler says finished, and closes
// it, which waits for the members. A member that finds nothing for spin_us gives its slot back and returns to the pool;
// the caller sleeps instead until something becomes visible or the work ends.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/runtime/counters.hpp>
#include <teff/runtime/idle.hpp>
#include <teff/runtime/pool.hpp>
#include <teff/runtime/work_source.hpp>
#include <teff/runtime/worker.hpp>
#include <teff/scheduler/hunger.hpp>
#include <teff/scheduler/slots.hpp>

#include <exception>

namespace teff {

class team : public work_source {
public:
    // slots: 1..4096; spin_us: how long an idle member searches; counts: whether to time it. Throws std::bad_alloc.
    team(unsigned slots, long spin_us, bool counts = false);

    unsigned take_slot() noexcept override;
    bool give_slot(unsigned slot) noexcept override;
    bool has_room() const noexcept override;
    unsigned held_workers() const noexcept override;
    void join(unsigned slot, unsigned worker) noexcept final;

    hunger& idle() noexcept { return idle_; }

    // Any member: the exception that reached it. The first one is kept for the caller, the others are dropped.
    void fail(std::exception_ptr error) noexcept;
    // Caller, after close().
    void rethrow_failure();

    // Opens the team, works as slot 0, and closes it again.
    void run_as_caller() noexcept;
    // The same without the work: workers may join from open() on; close() returns when the last one has left.
    void open() noexcept;
    void close() noexcept;

protected:
    ~team() = default;

    virtual void work(unsigned slot, unsigned worker) noexcept = 0;
    virtual void cancel() noexcept = 0;

    // A member that has no item any more counts as searching from here on; before it retires.
    void run_dry() noexcept { idle_.inside().begin_search(); }

    // Around a worker's work, from its first item until there is none left.
    static void begin_stay() noexcept { pool::instance().idle().begin_stay(); }
    static void end_stay() noexcept { pool::instance().idle().end_stay(); }

    bool counts() const noexcept { return counts_; }

    // A retired member looks for work until steal() succeeds (true) or it should go (false). `local` is its cursor.
    // Publishers that saw somebody search have called nobody, so who ends his search passes the call on. Not sooner:
    // of two members that find something at once, each would take the other for a searcher.
    // Who may not leave, as the caller, sleeps on the team instead.
    template <class Scheduler, class Cursor>
    bool search(Scheduler& scheduler, Cursor& local, unsigned slot, worker_counters& counters) noexcept {
        return search(scheduler, local, slot, slot != caller_slot, counters);
    }
    template <class Scheduler, class Cursor>
    bool search(Scheduler& scheduler, Cursor& local, unsigned slot, bool may_leave,
                worker_counters& counters) noexcept {
        const idle_time until_done(counts_ ? &counters : nullptr);
        const bool found = find_item(scheduler, local, slot, may_leave, counters);
        // A worker that goes counts as searching until it is back in the pool.
        if (found || !may_leave)
            idle_.inside().end_search();
        if (!found && may_leave)
            return false;
        // seq_cst: our search has ended before we look who sleeps; partner: the fence in crowd::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (idle_.any() && scheduler.has_visible_work())
            idle_.work_visible();
        return found;
    }

    static constexpr unsigned caller_slot = 0;

private:
    template <class Scheduler, class Cursor>
    bool find_item(Scheduler& scheduler, Cursor& local, unsigned slot, bool may_leave,
                   worker_counters& counters) noexcept {
        idle_spin spin(spin_us_);
        while (!scheduler.finished()) {
            ++counters.steals_tried;
            if (try_steal(local)) {
                ++counters.steals_won;
                return true;
            }
            if (spin.pause())
                continue;
            if (may_leave)
                return false;
            ++counters.parked;
            sleep_inside(scheduler, slot);
            spin = idle_spin(spin_us_);
        }
        return false;
    }

    // A move that throws loses the items on the way: the team fails.
    template <class Cursor>
    bool try_steal(Cursor& local) noexcept {
        try {
            return local.steal();
        } catch (...) {
            fail(std::current_exception());
            return false;
        }
    }

    template <class Scheduler>
    void sleep_inside(Scheduler& scheduler, unsigned slot) noexcept {
        crowd& members = idle_.inside();
        const std::uint32_t ticket = members.prepare_sleep();
        scheduler.request();
        if (scheduler.finished() || scheduler.has_work_for(slot)) {
            members.cancel_sleep();
            // What is there but could not be taken may need the processor of who is about to finish it.
            yield_thread();
        } else {
            pool::instance().sleep_or_report(members, ticket);
        }
    }

    hunger idle_;
    slots<unsigned> free_slots_;  // under the pool's mutex: a stack of free_count_ slot numbers
    unsigned free_count_;         // under the pool's mutex
    unsigned members_ = 0;        // under the pool's mutex: without the caller
    const long spin_us_;
    const bool counts_;
    futex_word left_{0};          // changes when the last member leaves
    atomic<bool> failed_{false};
    std::exception_ptr failure_;  // written by who set failed_, read by the caller after close()
};

}  // namespace teff
