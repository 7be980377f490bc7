// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A task team: a scheduler whose queues hold the addresses of tasks, its members, and the operations of a member: push,
// take, run, search and wait. Every front end but reductions runs on it. It is compiled once for each scheduler, in the
// library; a front end uses the virtual functions below.
//
// The scheduler only stores and moves tasks. It is told that a task has run as soon as the task is taken
// (local.ran_one()), for two reasons. Front ends detect the end of their work in other ways. And schedulers expect a
// member to finish an item before it becomes inactive and searches, while a task that waits must let its member search.
//
// Beside the scheduler there are lanes (queue/priority_lanes.hpp), from which any member takes:
//   tasks with a priority        before all other tasks
//   tasks from outside           made ready by a thread that is not a member (inject); and
//   tasks that a member took and may not run (take_rules): left there for another member, in their order; and
//   tasks for which the queue's visible part has no room when the member shows all
//                                these are taken when the member's own queue is empty, before it steals
// Tasks that are bound to a shepherd have inboxes of their own (bound_tasks.hpp), which are looked into where the lanes
// are, in turn with them. A program that uses none of them pays one load where a member takes a task.
//
// task_member.hpp has the interface of a member.
//
//   thread safety     inject() and begin_stop(): any thread, while the team lives; otherwise see each function
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/base/clock.hpp>
#include <teff/machine/topology.hpp>
#include <teff/queue/mailbox.hpp>
#include <teff/queue/priority_lanes.hpp>
#include <teff/scheduler/slots.hpp>
#include <teff/task/task_header.hpp>
#include <teff/team/bound_tasks.hpp>
#include <teff/team/count_latch.hpp>
#include <teff/team/guests.hpp>
#include <teff/team/region.hpp>
#include <teff/team/task_member.hpp>
#include <teff/team/team.hpp>
#include <teff/team/team_options.hpp>

#include <cstdint>
#include <optional>
#include <stop_token>
#include <utility>

namespace teff {

// Constructors may throw std::bad_alloc.
class task_team : public team, public deleted_through_base {
    friend class tasks_beside;

public:
    // Makes the calling thread the caller: installs its member and opens the team. Throws std::bad_alloc.
    virtual void enter_as_caller() = 0;
    // Undoes enter_as_caller(): returns when every task has run and all workers have left.
    virtual void leave_as_caller() noexcept = 0;
    // For the caller of a fixed team, in this order. form() gets the workers, fewer if threads cannot be started; if it
    // throws std::bad_alloc, the team holds no worker. run_region() runs a region (region.hpp) on up to `size` members
    // and returns on how many. dissolve() releases the workers.
    virtual void form() = 0;
    virtual unsigned run_region(unsigned size, region_function body, void* argument) noexcept = 0;
    // The two halves of run_region(), for a caller that does its own part between them: `body` is called on all members
    // but the caller.
    virtual unsigned begin_region(unsigned size, region_function body, void* argument) noexcept = 0;
    virtual void end_region() noexcept = 0;
    virtual void dissolve() noexcept = 0;
    // For a member of a fixed team in a region (region.hpp).
    virtual void cancel_region() noexcept = 0;
    // For a team without a caller (guests.hpp). open_to_guests(), which may throw std::bad_alloc, lets guests and
    // workers join and leave. close_to_guests() ends this and runs the remaining tasks; no guest may be in the team
    // then.
    virtual void open_to_guests() = 0;
    virtual void close_to_guests() noexcept = 0;
    // Calls function(argument) as the member of `slot`, which the calling thread has, and gives the slot back. Throws
    // what the function throws, or std::bad_alloc.
    virtual void run_guest(unsigned slot, void (*function)(void*), void* argument) = 0;
    virtual ~task_team() = default;

    int priority() const noexcept override;

    // Any thread, while the team is open to guests. Returns a slot for the calling thread. If none is free, it returns
    // no_slot and offers the call to the members, and to those that leave the team.
    unsigned take_slot_or_offer(guest_call& offered) noexcept;
    // Called by the guest after it has waited for offered.turn. True: a member has taken the call, and offered.over
    // tells when the call has run. False: offered.slot is the guest's slot; or it is no_slot, and the guest waits for
    // another turn.
    bool is_run_by_member(guest_call& offered) noexcept;
    // Called by the member that has run the call, as its last use of the call.
    void end_offer(guest_call& run) noexcept;
    // A slot for the calling thread, or no_slot.
    unsigned take_slot_as_guest() noexcept;

    // The number of members of a fixed team, after form().
    unsigned member_count() const noexcept { return member_count_; }

    const team_options& how() const noexcept { return how_; }
    // Whether members do something when they run a task: count it, or record it in the trace (timeline.hpp).
    bool watches_runs() const noexcept { return watches_runs_; }
    bool traces_runs() const noexcept { return traces_runs_; }
    // Whether the team has a single slot, so that no other thread can ever join it.
    bool is_alone() const noexcept { return how_.settings.slots == 1; }
    // Whether members keep tasks private until a thief asks for work; otherwise other members can take each task as
    // soon as it is pushed.
    bool shares_on_request() const noexcept { return shares_on_request_; }

    // Where waiting members are given jobs (frontends/fork_join/crew.hpp), by their slots; nullptr: nowhere.
    slots<mailbox<task_header>>* mailboxes() noexcept { return mailboxes_ ? &*mailboxes_ : nullptr; }

    const std::stop_token& stop() const noexcept { return stop_; }
    bool is_stopping() const noexcept {
        // relaxed: it is enough to see the change soon; the flag publishes no other data.
        return stopping_.load(std::memory_order_relaxed);
    }
    // From here on no further task is started. The request makes the members look at the flag.
    void begin_stop() noexcept {
        // relaxed: the fence in request() orders it before the request is written to the members' marks
        // (split_deque.hpp); partner: the fence in a member that resets its marks and then checks is_stopping().
        stopping_.store(true, std::memory_order_relaxed);
        request();
    }

    // Its shepherds: the groups of workers to which tasks can be bound.
    shepherd_rule shepherds() const noexcept;
    // Called before a task of the team is bound. Throws std::bad_alloc.
    void prepare_bound_tasks();

    // Makes a task ready. Any thread may call it, a member or not. The caller ensures that the team lives until the
    // task has run, for example by making the task part of something that the team waits for.
    void inject(task_header& ready) noexcept {
        announce_injection();
        inject_announced(ready);
    }
    // Counts the fibers that have not ended, plus the numbers that members have taken in advance
    // (task_member::count_fiber()). A blocked fiber is in no queue, so the caller of an elastic team waits for this
    // count before it leaves the team.
    count_latch& fibers() noexcept { return fibers_; }
    // The two halves of inject(). A member announces, inside of a task, that some thread will make a task ready later:
    // no barrier of a fixed team opens before that task has run.
    void announce_injection() noexcept {
        if (is_fixed())
            // relaxed: the lanes' mutex publishes it with the task. If the task is made ready later, the count of the
            // run of the member's own task, a release, publishes it to the thread that checks for the end.
            injected_.fetch_add(1, std::memory_order_relaxed);
    }
    void inject_announced(task_header& ready) noexcept {
        // relaxed: the lanes' mutex orders it before the task runs, and so before the end of the team.
        injecting_.fetch_add(1, std::memory_order_relaxed);
        if (counts())
            count_injected();
        sanitizers::happens_before(&ready);
        put_into_lanes(ready);
        // release: our last use of the team; partner: the acquire in await_injecting().
        injecting_.fetch_sub(1, std::memory_order_release);
    }

    // Called by the caller's member outside of any task, at the begin and the end of a burst
    // (scheduler/short_bursts.hpp).
    bool is_in_burst() const noexcept { return idle().bursts().is_in_burst(); }
    void begin_burst(const task_member& caller) noexcept {
        of_burst_ = {caller.left_to_others(), caller.given()};
        idle().begin_burst(cycle_count(), caller.queued() != 0 || has_tasks_beside());
    }
    void end_burst(const task_member& caller) noexcept {
        const bool was_helped = caller.left_to_others() != of_burst_.left_to_others;
        idle().end_burst(cycle_count(), was_helped ? 1 + (caller.given() - of_burst_.given) : 0);
    }

    // The event count on which members sleep until there is a task for them; takes_others as in wait_rules.
    event_count& sleepers(bool takes_others) noexcept { return takes_others ? idle().members() : blocked_; }

    // Called after a change that sleeping members may wait for.
    void notify_waiters() noexcept {
        // notify_all() begins with a fence, which also orders the look in notify_blocked(); partner: the fence in
        // event_count::prepare_sleep().
        idle().members().notify_all();
        notify_blocked();
    }

protected:
    task_team(const team_options& options, bool shares_on_request, const std::stop_token& stop, admission admits)
        : team(options.settings.slots, admits == admission::fixed && is_crowded(options) ? 0 : options.spin_us,
               options.settings.counts, admits),
          how_(options), shares_on_request_(shares_on_request), traces_runs_(events_are_on()),
          watches_runs_(is_fixed() || traces_runs_), stop_(stop) {
        name_no_stretches();
        if (shares_on_request && !is_fixed() && !is_alone() && !is_crowded(options))
            mailboxes_.emplace(options.settings.slots);
    }

    // With more members than processors, a member that spins keeps the one that it waits for from running. In a fixed
    // team, whose members wait for each other, they do not spin, but yield a few times and then sleep.
    static bool is_crowded(const team_options& options) noexcept {
        const topology* const machine = options.settings.machine;
        return machine != nullptr && options.settings.slots > static_cast<unsigned>(machine->cpu_count());
    }

    passed_slot pass_slot(unsigned slot) noexcept override;

    static void count_injected() noexcept;

    // Called at the end of the team. Even if all tasks have run, a thread that injected one may still be inside
    // inject(), waking sleepers.
    void await_injecting() const noexcept {
        // acquire: those threads no longer use the team; partner: the release in inject().
        for (backoff wait; injecting_.load(std::memory_order_acquire) != 0;)
            wait.pause();
    }

    // Wakes all sleeping members, since each of them may be the only one that may run the task.
    void put_into_lanes(task_header& ready) noexcept;

    // Wakes blocked members, which sleep and would take only their own tasks and those in the lanes. Publishers of
    // other tasks do not wake them.
    void notify_blocked() noexcept {
        if (blocked_.sleeping() != 0)
            blocked_.notify_all();
    }

    // After a bound task was put into its inbox, or a seat has become free there.
    void wake_for_bound() noexcept;
    // After tasks were put into the lanes.
    void wake_for_lanes() noexcept;
    // nullptr: no task has been bound so far. The lanes' word says so, which a member that looks for work loads anyway.
    bound_tasks* bound() const noexcept {
        // relaxed: the acquire in lanes_in_use() orders it; partner: the release in add_others().
        return (lanes_.lanes_in_use() & priority_lanes<task_header>::others) != 0
                   ? bound_.made.load(std::memory_order_relaxed)
                   : nullptr;
    }
    // Whether there are tasks in the lanes or the inboxes.
    bool has_tasks_beside() const noexcept {
        const bound_tasks* const tasks = bound();
        return (lanes_.lanes_in_use() & priority_lanes<task_header>::all_lanes) != 0 ||
               (tasks != nullptr && tasks->any());
    }
    // Whether there are bound tasks that any member may take, as may a worker that joins.
    bool has_unattended() const noexcept {
        const bound_tasks* const tasks = bound();
        return tasks != nullptr && tasks->find_unattended(0) != bound_tasks::none;
    }

    priority_lanes<task_header> lanes_;
    intrusive_list<guest_call> offered_;  // under the pool's mutex
    event_count blocked_;
    atomic<std::uint64_t> injected_{0};  // number of injected tasks; counted in fixed teams only
    atomic<unsigned> injecting_{0};      // number of threads inside inject()
    count_latch fibers_;
    unsigned member_count_ = 1;

private:
    void add_offer(guest_call& offered) noexcept;
    void remove_offer(guest_call& offered) noexcept;
    bool take_offered_task(const guest_call& offered) noexcept;

    struct bound_tasks_of_team {
        atomic<bound_tasks*> made{nullptr};
        // relaxed: no other thread uses the team any more.
        ~bound_tasks_of_team() { destroy(made.load(std::memory_order_relaxed)); }
    };

    bound_tasks_of_team bound_;         // made at the first bound task
    const team_options how_;
    const bool shares_on_request_;
    const bool traces_runs_;
    const bool watches_runs_;
    std::optional<slots<mailbox<task_header>>> mailboxes_;
    const std::stop_token stop_;
    atomic<bool> stopping_{false};
    // the caller writes: its numbers at the beginning of its burst
    struct alignas(false_sharing_range) burst {
        std::uint64_t left_to_others = 0, given = 0;
    } of_burst_;
};

inline void task_member::count_fiber() noexcept {
    if (spare_fiber_counts_ == 0) {
        team_.fibers().count_up(fiber_batch);
        spare_fiber_counts_ = fiber_batch;
    }
    --spare_fiber_counts_;
}
inline void task_member::count_ended_fiber() noexcept {
    if (++spare_fiber_counts_ == 2 * fiber_batch) {
        team_.fibers().count_down(fiber_batch);
        spare_fiber_counts_ = fiber_batch;
    }
}
inline void task_member::give_back_fiber_counts() noexcept {
    if (spare_fiber_counts_ != 0)
        team_.fibers().count_down(std::exchange(spare_fiber_counts_, 0));
}

// Throws std::bad_alloc.
task_team* make_task_team(const team_options& options, const std::stop_token& stop,
                          admission admits = admission::elastic);

// Replaces a wait in the child of a fork(), where the other threads of the parent do not exist. False: the condition
// is met. True: no thread had begun `until`, so the caller runs it. Otherwise ends the process with a message.
bool is_left_to_child(const wait_condition& awaited, const task_header* until) noexcept;

}  // namespace teff
