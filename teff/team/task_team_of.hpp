// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task team for one scheduler: its begin and end by the caller, and the regions of a fixed team. See task_team.hpp
// and region.hpp for the design, and task_member_of.hpp for the operations of a member.
#pragma once

#include <teff/machine/placement.hpp>
#include <teff/observe/counters.hpp>
#include <teff/scheduler/scheduler.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/scheduler/stop_state.hpp>
#include <teff/scheduler/termination_detector.hpp>
#include <teff/strand/running_thread.hpp>
#include <teff/strand/worker.hpp>
#include <teff/team/dock.hpp>
#include <teff/team/first_looks.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/region_barriers.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_member_of.hpp>
#include <teff/team/task_team.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <utility>

namespace teff {

template <class Scheduler>
    requires scheduler<Scheduler, task_header*>
class task_team_of final : public task_team {
    static constexpr bool is_asked = shares_on_request_scheduler<Scheduler, task_header*>;

    friend class task_member_of<Scheduler>;
    friend class tasks_of_member<Scheduler>;
    using member = task_member_of<Scheduler>;

public:
    task_team_of(const team_options& options, const std::stop_token& stop, admission admits)
        : task_team(options, is_asked, stop, admits), scheduler_(options.settings, idle()),
          pools_(options.settings.slots), records_(slots_of_regions(options, admits)), first_looks_(looks_of(options)),
          dock_(slots_of_regions(options, admits), looks_of(options)), barriers_(slots_of_regions(options, admits)) {}

    void enter_as_caller() override {
        caller_.emplace(*this, caller_slot);
        as_caller_.emplace(*caller_);
        open();
    }
    void leave_as_caller() noexcept override {
        // In the child of a fork() inside a task, is_set() ends the process.
        if (!stop_.is_set())
            run_all([this] { caller_->retire(); });
        notify_blocked();
        // relaxed: see search_view::finished().
        over_.store(true, std::memory_order_relaxed);
        // The caller leaves its slot while the other members finish, so that they deal no tasks to it.
        caller_.reset();
        // Tasks that were dealt to the caller meanwhile can be taken by others only now, and these may be asleep.
        // seq_cst: our slot is vacant before we look for tasks; partner: the fence in event_count::prepare_sleep().
        teff::atomic_thread_fence(std::memory_order_seq_cst);
        if (has_visible_work())
            notify_waiters();
        close();
        caller_.emplace(*this, caller_slot);
        run_all([this] { caller_->run_rest(); });
        as_caller_.reset();
        caller_.reset();
        await_injecting();
    }

    void form() override {
        records_[caller_slot].place.emplace(*this, caller_slot);
        const unsigned wanted = how().settings.slots - 1;
        dock_.expect(wanted);
        const unsigned workers = pool::instance().open_reserved(*this, wanted);
        // Subtracts the workers that do not exist. A store would be wrong: some workers may have called done() already.
        dock_.lower_expected(wanted - workers);
        dock_.await_done(spin_us());
        member_count_ = workers + 1;
        barriers_.prepare(member_count_);
        // relaxed: ordered by await_done().
        if (lacks_memory_.load(std::memory_order_relaxed)) {
            dissolve();
            throw std::bad_alloc();
        }
    }
    unsigned run_region(unsigned size, region_function body, void* argument) noexcept override {
        size = prepare_region(size);
        const dock::command call{dock::order::run, body, argument};
        const caller_part inside(*this, *records_[caller_slot].place);
        dock_.release(size, call);
        run_part(caller_slot, call);
        return size;
    }
    unsigned begin_region(unsigned size, region_function body, void* argument) noexcept override {
        size = prepare_region(size);
        caller_part_.emplace(*this, *records_[caller_slot].place);
        dock_.release(size, {dock::order::run, body, argument});
        records_[caller_slot].place->begin_part();
        return size;
    }
    void end_region() noexcept override {
        records_[caller_slot].place->end_part();
        end_part(caller_slot);
        caller_part_.reset();
    }
    void dissolve() noexcept override {
        dock_.release(member_count_, {.what = dock::order::leave});
        close_reserved(member_count_ - 1);
        records_[caller_slot].place.reset();
        await_injecting();
    }

    void cancel_region() noexcept override {
        barriers_.give_up();
        notify_waiters();
    }

    void open_to_guests() override {
        // Slot 0 starts active.
        caller_.emplace(*this, caller_slot);
        caller_->retire();
        caller_.reset();
        open();
    }
    void close_to_guests() noexcept override {
        // relaxed: see search_view::finished().
        over_.store(true, std::memory_order_relaxed);
        close();
        // From here on this thread is alone.
        caller_.emplace(*this, caller_slot);
        as_caller_.emplace(*caller_);
        for (bool are_over = false; !are_over; are_over = fibers().is_over()) {
            if (!fibers().is_over()) {
                caller_->begin();
                [[maybe_unused]] const bool taken_back =
                    caller_->wait({fibers().word(), count_latch::unfinished, &fibers()}, {});
                caller_->retire();
            }
            caller_->run_rest();
            caller_->give_back_fiber_counts();
        }
        as_caller_.reset();
        caller_.reset();
        await_injecting();
    }
    void run_guest(unsigned slot, void (*function)(void*), void* argument) override {
        const struct held_slot {
            ~held_slot() { team.give_guest_slot(slot); }
            task_team_of& team;
            const unsigned slot;
        } held{*this, slot};
        const scoped_membership inside(*this);
        const scoped_activity working(activity::work);
        member self(*this, slot);
        self.begin();
        const struct leaving {
            ~leaving() { self.leave_tasks(); }
            member& self;
        } at_end{self};
        const member_scope scope(self);
        self.call(function, argument);
    }

    bool has_visible_work() const noexcept override {
        return scheduler_.has_visible_work() ||
               (lanes_.lanes_in_use() & priority_lanes<task_header>::all_lanes) != 0 || has_unattended();
    }
    bool hides_work() const noexcept override { return hides_work_in(scheduler_); }
    void request() noexcept override { scheduler_.request(); }
    void cancel() noexcept override { scheduler_.cancel(); }
    // In the child of a fork(), on its only thread: the thread loses its membership and keeps its strand.
    void orphan() noexcept override {
        scheduler_.orphan();
        stop_.orphan();
        running_thread.member = nullptr;
        running_thread.innermost = nullptr;
        // relaxed: the child has one thread.
        running_thread.limit.store(thread_context::requested, std::memory_order_relaxed);
    }
    std::size_t queued_estimate() const noexcept override {
        const bound_tasks* const tasks = bound();
        return scheduler_.queued_estimate() + (tasks != nullptr ? tasks->queued() : 0);
    }

private:
    // The descriptor pools of a slot, used by its members one after the other. The first member that makes a task makes
    // them.
    struct slot_pools {
        task_pools* made = nullptr;
        ~slot_pools() { destroy(made); }
    };
    // Makes the calling thread a member for the time of a region.
    struct caller_part {
        caller_part(task_team_of& team, member& self) noexcept
            : inside(team), working(activity::work), as_caller(self) {}

        scoped_membership inside;
        scoped_activity working;
        member_scope as_caller;
    };
    // A slot of a fixed team: its member, and the member's account of tasks pushed and run.
    struct alignas(false_sharing_range) slot_record {
        std::optional<member> place;
        termination_detector::account account;
    };

    static unsigned slots_of_regions(const team_options& options, admission admits) noexcept {
        return admits == admission::fixed ? options.settings.slots : 1;
    }
    // The looks of a member before it counts as waiting. There are more looks in a large team, since its members take
    // turns on a line that all of them write, such as a sum that they add to before they meet.
    static first_looks::plan looks_of(const team_options& options) noexcept {
        constexpr unsigned least = 64, for_each_member = 4;
        if (options.spin_us == 0)
            return {};
        if (is_crowded(options))
            return {.more = 16, .yields = true};
        return {.more = std::max(least, for_each_member * options.settings.slots)};
    }

    void work(unsigned slot, unsigned) noexcept override {
        if (is_fixed())
            stay_at_dock(slot);
        else
            visit(slot);
    }
    void visit(unsigned slot) noexcept {
        const scoped_binding bound(how().binds_to);
        std::optional<member> own;
        try {
            own.emplace(*this, slot);
        } catch (const std::bad_alloc&) {
            // Without memory for a queue the worker leaves, and the other members do the work.
            return;
        }
        const member_scope scope(*own);
        own->work();
    }

    // A worker's time in a fixed team, from joining to leaving.
    void stay_at_dock(unsigned slot) noexcept {
        begin_work();
        take_place(slot);
        dock_.done();
        bool takes_part = true;
        for (unsigned carried_out = 0;;) {
            const dock::command given = dock_.wait(slot, carried_out, spin_us(), takes_part);
            switch (given.what) {
            case dock::order::run: {
                const member_scope as_member(*records_[slot].place);
                run_part(slot, given);
                break;
            }
            case dock::order::resize:
                takes_part = slot < barriers_.size();
                if (takes_part)
                    take_place(slot);
                else
                    leave_place(slot);
                dock_.done();
                break;
            case dock::order::leave:
            case dock::order::none:
                leave_place(slot);
                end_work();
                return;
            }
        }
    }
    // Members that take no part in a region leave the scheduler, so that no tasks are dealt to them. To enter it again
    // needs no memory.
    void take_place(unsigned slot) noexcept {
        std::optional<member>& place = records_[slot].place;
        if (place)
            return;
        try {
            place.emplace(*this, slot);
            place->begin();
        } catch (const std::bad_alloc&) {
            // relaxed: done() of the dock publishes it; partner: await_done() in form().
            lacks_memory_.store(true, std::memory_order_relaxed);
        }
    }
    void leave_place(unsigned slot) noexcept {
        std::optional<member>& place = records_[slot].place;
        if (place)
            place->retire();
        place.reset();
    }
    // For the caller that leaves. run_tasks() runs the tasks that nothing has waited for; they may start fibers.
    template <class RunTasks>
    void run_all(RunTasks&& run_tasks) noexcept {
        const auto are_fibers_over = [this] {
            caller_->give_back_fiber_counts();
            return fibers().is_over();
        };
        do {
            if (!are_fibers_over()) {
                const wait_reason why{.kind = "the fibers of its team", .event = "", .is_for_tasks = true};
                [[maybe_unused]] const bool taken_back =
                    caller_->wait({fibers().word(), count_latch::unfinished, &fibers()}, {.why = &why});
            }
            run_tasks();
        } while (!are_fibers_over());
    }
    // Returns how many members the next region has.
    unsigned prepare_region(unsigned size) noexcept {
        size = std::min(size, member_count_);
        if (barriers_.prepare(size)) {
            dock_.release(member_count_, {.what = dock::order::resize});
            dock_.await_done(spin_us());
        }
        return size;
    }
    // Calls the region's function as this member, then waits at the barrier at its end.
    void run_part(unsigned slot, const dock::command& call) noexcept {
        records_[slot].place->run_part(call.body, call.argument, slot, barriers_.size());
        end_part(slot);
    }
    void end_part(unsigned slot) noexcept {
        member& self = *records_[slot].place;
        // In the child of a fork() the other members do not exist: is_set() ends the process with a message.
        [[maybe_unused]] const bool stopped = stop_.is_set();
        self.wait_at_end_of_region();
        self.hand_in_counters();
    }
    bool open_barrier_if_complete() noexcept {
        const bool opened = barriers_.try_open([this] { return all_ran(); });
        if (opened)
            notify_waiters();
        return opened;
    }
    bool all_ran() const noexcept {
        return termination_detector::all_ran([this](unsigned slot) -> const auto& { return records_[slot].account; },
                              [this] { return member_count_; },
                              // relaxed: the lanes' mutex orders the increment before the run of the task.
                              [this] { return injected_.load(std::memory_order_relaxed); });
    }

    // Whether a member with these rules finds something to take. It may take any task out of a queue: it moves tasks
    // that it may not run to the lanes.
    bool has_visible_work_for(const member& self, const take_rules& may_run) noexcept {
        return scheduler_.has_visible_work() || has_in_lanes_for(self, may_run);
    }
    bool has_in_lanes_for(const member& self, const take_rules& may_run) noexcept {
        return lanes_.has(priority_lanes<task_header>::all_lanes, self.accepts(may_run));
    }

    // For members that take no tasks, or only their own and those in the lanes: sleeps until the condition may be met,
    // or until notify_blocked(). Publishers do not wake such members. In a wait for a count it returns false at once if
    // tasks are visible and no worker counts as idle. Then this member may be the last one awake, and others may have
    // left their tasks to it, so it must take them after all. (This member counts as asleep before it looks, and so
    // does a member that leaves its tasks to others. Each executes a fence between the two steps, so at least one of
    // them sees the other.)
    bool block(const member& self, const wait_condition& awaited, const wait_rules& rules, latch_watch& watching,
               outer_work& outer, worker_counters& counted) noexcept {
        const idle_time until_done(counts() ? &counted : nullptr);
        ++counted.parked;
        blocked_.begin_search();
        bool is_last = false;
        sleep_unless(
            blocked_,
            [&] {
                watching.begin();
                outer.begin_sleep(blocked_);
                is_last = awaited.watched != nullptr && has_visible_work_for(self, rules.may_run) &&
                          !idle().any();
                return is_last || awaited.is_met() || self.has_bound_tasks() ||
                       (!rules.leaves_own && has_in_lanes_for(self, rules.may_run)) || outer.is_found();
            },
            [&](std::uint32_t ticket) { pool::instance().sleep_in_wait(blocked_, ticket, member::why(&rules)); });
        blocked_.end_search();
        outer.end_sleep();
        return !is_last;
    }

    Scheduler scheduler_;
    slots<slot_pools> pools_;
    stop_state stop_;
    atomic<bool> over_{false};
    // On a line of its own: the caller writes it all the time, and all members read the fields before it.
    alignas(false_sharing_range) std::optional<member> caller_;
    std::optional<member_scope> as_caller_;
    std::optional<caller_part> caller_part_;  // of a region in two halves

    // used by fixed teams only
    slots<slot_record> records_;
    first_looks first_looks_;
    dock dock_;
    region_barriers barriers_;
    atomic<bool> lacks_memory_{false};
};

}  // namespace teff
