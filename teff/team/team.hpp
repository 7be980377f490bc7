// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team: one scheduler instance with member slots, in which the caller is slot 0.
//
//   elastic   workers join and leave, depending on the work
//   fixed     its workers are reserved before it opens; each joins once, takes the next number, and stays until the
//             team ends
//   visited   as an elastic one, but without a caller: any thread may be a member for the time of a call (guests.hpp)
//
// This class has what all front ends share: the slots, the idle tracker, the first exception, and the search for work.
// The front end derives from it, owns the scheduler, and implements the rest of work_source.
//
// Life of a team with a caller: the caller constructs the team, opens it in the pool, works as slot 0 until the
// scheduler says finished, and closes it, which waits for the members. A worker that finds nothing for spin_us gives
// its slot back and returns to the pool; the caller sleeps instead until something becomes visible or the work ends.
#pragma once

#include <teff/base/atomic.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/observe/counters.hpp>
#include <teff/observe/timeline.hpp>
#include <teff/pool/idle_sleep.hpp>
#include <teff/pool/pool.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/scheduler/idle_tracker.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/theft_pause.hpp>

#include <cstdint>
#include <exception>

namespace teff {

enum class admission : unsigned char { elastic, fixed, visited };

class cancel_on_stop;

class team : public work_source {
public:
    // slots: 1..4096; spin_us: how long an idle member searches; counts: whether to measure idle time. Throws
    // std::bad_alloc.
    team(unsigned slots, long spin_us, bool counts = false, admission admits = admission::elastic);

    bool is_fixed() const noexcept { return admission_ == admission::fixed; }
    bool takes_guests() const noexcept { return admission_ == admission::visited; }
    // For a fixed team: called by the pool under its mutex, before any worker can join, with the number of workers that
    // will join.
    void reserve(unsigned workers) noexcept;

    unsigned take_slot() noexcept override;
    given_slot give_slot(unsigned slot) noexcept override;
    bool has_room() const noexcept override;
    bool awaits_workers() const noexcept override;
    unsigned held_workers() const noexcept override;
    void join(unsigned slot, unsigned worker) noexcept final;

    bool is_quiet() const noexcept override;
    void end_quiet_if_due() noexcept override;

    // For a thread that may have been woken for an item of this team but does something else.
    void pass_on_wake_up() noexcept { pass_on_wake_up(*this); }

    idle_tracker& idle() noexcept { return idle_; }
    const idle_tracker& idle() const noexcept { return idle_; }

    // Called by any member with an exception that it has caught; cancels the team. The first exception is kept for the
    // caller, the others are dropped.
    void fail(std::exception_ptr error) noexcept;
    // Caller only, after close().
    void rethrow_failure();

    // Opens the team, works as slot 0, and closes it again.
    void run_as_caller() noexcept;
    // The same without the work: workers may join from open() on; close() returns when the last worker has left.
    void open() noexcept;
    void close() noexcept;
    void close_reserved(unsigned workers) noexcept;

protected:
    ~team() = default;

    virtual void work(unsigned slot, unsigned worker) noexcept = 0;
    virtual void cancel() noexcept = 0;
    // Under the pool's mutex, for a member that leaves: may give its slot to a guest that waits for one.
    struct passed_slot {
        bool is_taken = false;           // by a guest; otherwise the slot is free
        parked_wait* to_wake = nullptr;  // without the mutex; nullptr: none
    };
    virtual passed_slot pass_slot(unsigned) noexcept { return {}; }

    // For guests, under the pool's mutex: a slot, or no_slot.
    unsigned take_guest_slot() noexcept;
    // Takes the mutex.
    void give_guest_slot(unsigned slot) noexcept;

    // Called by a member that has no item left, before it retires: it counts as searching from here on.
    void run_dry() noexcept { idle_.members().begin_search(); }

    // Called before and after a worker's work in the team: with its first item, and when it has no item left.
    void begin_work() const noexcept {
        pool::instance().idle().begin_work();
        if (has_timeline_) [[unlikely]]
            note_begin_work();
    }
    void end_work() const noexcept {
        pool::instance().idle().end_work();
        if (has_timeline_) [[unlikely]]
            note_end_work();
    }

    bool counts() const noexcept { return counts_; }
    long spin_us() const noexcept { return spin_us_; }

    // A retired member searches for work until it has taken some (true) or should leave (false). Search defines where:
    //   bool finished()            whether to end the search
    //   bool ends_rest()           the same, or whether to look at once
    //   bool take()                looks once; true: something was taken
    //   bool took_last()           whether what was taken was an owner's last item
    //   void before_sleep()        asks for hidden items, after the member has announced that it will sleep
    //   bool has_work()            whether a look might succeed now
    //   bool has_visible_work()    whether a look by another member might succeed now
    //   bool hides_work()          whether there seem to be items that are not visible
    //   wait_reason why()          for reports
    // A publisher that saw a searcher has woken no thread, so a member that ends its search passes the wake-up on. It
    // does so only after it has ended its search: otherwise, of two members that find something at the same time, each
    // would see the other as a searcher. A member that may not leave, such as the caller, sleeps in the team instead.
    template <class Search>
    bool search(Search& where, bool may_leave, worker_counters& counters, theft_pause* pause = nullptr) noexcept {
        const idle_time until_done(counts_ ? &counters : nullptr);
        activity what = activity::search;
        if constexpr (requires { where.awaited; })
            what = where.awaited != nullptr ? activity::wait : activity::search;
        const scoped_activity searching(what, has_timeline_);
        const std::uint64_t tried_before = counters.steals_tried;
        const bool found = find_item(where, may_leave, counters, pause);
        if (has_timeline_) [[unlikely]]
            note_search(counters.steals_tried - tried_before, found);
        // A worker that leaves counts as searching until it is back in the pool.
        if (found || !may_leave)
            idle_.members().end_search();
        const bool has_rested = pause != nullptr && pause->has_rested();
        if (has_rested)
            ask_owners_that_relied(!found && may_leave);
        if (!found && may_leave) {
            // As in sleep_inside(): the worker would be back at once.
            if (where.has_work())
                yield_thread();
            return false;
        }
        // Members that saw this one rest have relied on it, so another member must search in its place.
        if (has_rested)
            idle_.work_visible();
        else
            pass_on_wake_up(where);
        return found;
    }
    // The same, with a search in `scheduler`; `local` is the member's cursor.
    template <class Scheduler, class Cursor>
    bool search(Scheduler& scheduler, Cursor& local, unsigned slot, worker_counters& counters,
                theft_pause* pause = nullptr) noexcept {
        scheduler_search<Scheduler, Cursor> where{*this, scheduler, local, slot};
        return search(where, slot != caller_slot, counters, pause);
    }

    // After the end of a search: wakes another thread for what is there.
    template <class Search>
    void pass_on_wake_up(const Search& where) noexcept {
        // seq_cst: our search has ended before we look for sleepers; partner: the fence in
        // event_count::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (idle_.would_notify() && (where.has_visible_work() || where.hides_work()))
            idle_.work_visible();
    }

    template <class Scheduler>
    static bool hides_work_in(const Scheduler& scheduler) noexcept {
        if constexpr (requires { scheduler.hides_work(); })
            return scheduler.hides_work();
        else
            return false;
    }

    static constexpr unsigned caller_slot = 0;

    // For a team whose tasks have slices of their own in the trace: the team records no slices for stretches of items.
    void name_no_stretches() noexcept { names_stretches_ = false; }

private:
    friend class cancel_on_stop;

    void fill_slots(unsigned count, unsigned lowest) noexcept;
    void note_begin_work() const noexcept;
    void note_end_work() const noexcept;

    template <class Scheduler, class Cursor>
    struct scheduler_search {
        team& self;
        Scheduler& scheduler;
        Cursor& local;
        unsigned slot;

        wait_reason why() const noexcept {
            return {.kind = "tasks of a reduction", .event = "to end", .is_for_tasks = true};
        }
        // A member that searches does not read the lines that all others write, if the scheduler can tell that one of
        // them has found the end.
        bool finished() const noexcept {
            if constexpr (requires { scheduler.has_found_end(); })
                return scheduler.has_found_end();
            else
                return scheduler.finished();
        }
        bool ends_rest() const noexcept { return finished(); }
        // A move that throws loses the items that were being moved, so the team fails.
        bool take() noexcept {
            try {
                return local.steal();
            } catch (...) {
                self.fail(std::current_exception());
                return false;
            }
        }
        bool took_last() const noexcept {
            if constexpr (requires { local.took_last(); })
                return local.took_last();
            else
                return false;
        }
        void before_sleep() noexcept { scheduler.request(); }
        bool has_work() const noexcept { return scheduler.has_work_for(slot); }
        bool has_visible_work() const noexcept { return scheduler.has_visible_work(); }
        bool hides_work() const noexcept { return hides_work_in(scheduler); }
    };

    template <class Search>
    bool find_item(Search& where, bool may_leave, worker_counters& counters, theft_pause* pause) noexcept {
        bool found = false;
        if (pause != nullptr)
            rest(where, *pause, pause->end_work(cycle_count(), others_that_rest()));
        const auto look = [&] {
            if (where.finished())
                return true;
            ++counters.steals_tried;
            found = where.take();
            counters.steals_won += found ? 1 : 0;
            if (pause != nullptr && found)
                pause->begin_work(cycle_count(), where.took_last());
            else if (pause != nullptr)
                rest(where, *pause, pause->look_in_vain(others_that_rest()));
            return found;
        };
        const auto sleep = [&] {
            if (may_leave)
                return false;
            ++counters.parked;
            sleep_inside(where);
            return true;
        };
        look_until_found(spin_us_, look, sleep);
        return found;
    }

    // Called by a member that ends its search after a rest. Because it rested, owners have not armed their marks, so
    // they would not notice that another member sleeps. The member that this one wakes, or one that searches now, may
    // find other work at its first look and send no request.
    void ask_owners_that_relied(bool leaves) noexcept {
        // seq_cst: our rest has ended before we look for sleepers. If we do not see a sleeper, it sends its own request
        // after each owner that saw us rest has reset its marks. Partners: the fences in event_count::prepare_sleep()
        // and split_deque::disarm().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        // A slot that becomes free may be for a worker that sleeps already.
        if (leaves || idle_.any_sleeps())
            request();
    }

    template <class Search>
    void rest(Search& where, theft_pause& pause, std::int64_t cycles) noexcept {
        if (cycles == 0)
            return;
        constexpr unsigned relaxes_per_look = 8;
        pause.note_rest();
        const unsigned calls = idle_.calls();
        const unsigned before_me = idle_.members().begin_rest();
        for (const std::int64_t begin = cycle_count(); theft_pause::lasts(cycles, begin, cycle_count()) &&
                                                       idle_.calls() - calls <= before_me && !where.ends_rest();) {
            for (unsigned i = 0; i < relaxes_per_look; ++i)
                cpu_relax();
            if (frees_processor())
                yield_thread();
        }
        idle_.members().end_rest();
    }
    // Whether resting members yield their processors, which other threads may need: with spin_us = 0. The rests of such
    // members do not become longer when many members rest.
    bool frees_processor() const noexcept { return spin_us_ == 0; }
    unsigned others_that_rest() noexcept { return frees_processor() ? 0 : idle_.members().resting(); }

    template <class Search>
    void sleep_inside(Search& where) noexcept {
        // In a quiet team no thread would be woken. The announcement below orders this.
        idle_.bursts().end_quiet();
        event_count& members = idle_.members();
        bool has_reason = false;
        sleep_unless(
            members,
            [&] {
                where.before_sleep();
                has_reason = where.finished() || where.has_work();
                return has_reason;
            },
            [&](std::uint32_t ticket) { pool::instance().sleep_in_wait(members, ticket, where.why()); });
        // An item may be visible but not yet takeable: yield the processor, so that the thread that holds it can run.
        if (has_reason)
            yield_thread();
    }

    idle_tracker idle_;
    slots<unsigned> free_slots_;  // under the pool's mutex: a stack of free_count_ slot numbers
    unsigned free_count_;         // under the pool's mutex
    unsigned members_ = 0;        // under the pool's mutex: number of members besides the caller
    const long spin_us_;
    const bool counts_;
    const bool has_timeline_;     // whether to record what its members do (timeline.hpp)
    bool names_stretches_ = true;
    const admission admission_;
    futex_word left_{0};          // changes when the last member leaves
    atomic<bool> failed_{false};
    std::exception_ptr failure_;  // written by the thread that set failed_, read by the caller after close()
};

}  // namespace teff
