// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team of tasks: a scheduler that holds tasks by their address, its members, and what each of them does out of line:
// push, take, run, search and wait. Every front end but reductions runs on it. Compiled once, in the library, for each
// scheduler; a front end sees the virtual calls below.
//
// The scheduler moves tasks about and nothing else: a task counts as run when it is taken, since front ends know the
// end of their work otherwise, and a member that waits runs tasks inside each other.
//
// Beside the scheduler stand the lanes (queue/priority_lanes.hpp), where any member finds what is not in a queue:
//   tasks with a priority        before anything else
//   tasks from outside           that a thread which is no member made ready (inject), and
//   tasks that a member took and may not run (take_rules): left there for another member, in their order;
//                                both when the member has run dry
// A program that uses none of them pays for one load where a member takes a task.
//
//   who may call what     task_member     the thread that it is
//                         task_team       see there; inject() and begin_stop(): any thread, while the team lives
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/backoff.hpp>
#include <teff/queue/priority_lanes.hpp>
#include <teff/runtime/goal.hpp>
#include <teff/runtime/team_options.hpp>
#include <teff/runtime/region.hpp>
#include <teff/runtime/team.hpp>
#include <teff/task/task_header.hpp>
#include <teff/task/task_pools.hpp>

#include <cstdint>
#include <stop_token>

namespace teff {

class task_team;

// Which tasks a thread may run where it waits, such as those that descend from the one below on its stack. Constant
// while the wait lasts; called under a mutex, so it calls nothing of the team's.
struct take_rules {
    bool (*accepts)(const task_header& offered, const void* context) noexcept = nullptr;  // nullptr: any
    const void* context = nullptr;

    bool operator()(const task_header& offered) const noexcept {
        return accepts == nullptr || accepts(offered, context);
    }
};

// How a member waits.
struct wait_rules {
    // Ends the wait when the member takes it: a task of its own that was queued, and is the caller's to run then.
    const task_header* until = nullptr;
    bool takes_others = true;  // not only what it has queued itself
    bool leaves_own = false;   // leaves that to others, as far as there are any who can
    take_rules may_run = {};
};

// A thread in a team.
class task_member {
public:
    task_team& team() const noexcept { return team_; }
    // Its number, 0 (the caller) to the number of slots less 1.
    unsigned slot() const noexcept { return slot_; }
    // Whether it is running a task.
    bool is_inside() const noexcept { return depth_ != 0; }

    // Queues a task. False: refused, and still the caller's.
    virtual bool push(task_header& made) noexcept = 0;
    // Memory for tasks that this member makes. pools(): nullptr while it has made none; make_pools(): nullptr if there
    // is no memory.
    virtual task_pools* pools() noexcept = 0;
    virtual task_pools* make_pools() noexcept = 0;
    // A task that it has queued itself, or finds in the lanes; nullptr: there is none that it may run.
    virtual task_header* take(const take_rules& may_run) noexcept = 0;
    // Runs a task that was taken.
    virtual void run(task_header& taken) noexcept = 0;
    // Until the goal is reached (false), or rules.until was taken back (true). Runs tasks meanwhile.
    virtual bool wait(const goal& awaited, const wait_rules& rules) noexcept = 0;

    // The calls that follow matter for schedulers that share on request. The others hide nothing.
    // push() that shows nothing before the next operation.
    virtual bool push_hidden(task_header& made) noexcept = 0;
    // Shows own tasks as if somebody had asked.
    virtual void show() noexcept = 0;
    // Shows all of them, or runs them: the thread goes about other things, and its next operation may be far away.
    virtual void show_all() noexcept = 0;
    // How many of its tasks others can take now; and whether it has any, shown or not.
    virtual unsigned visible() const noexcept = 0;
    virtual bool has_queued() const noexcept = 0;

    // A task that was refused ran at once.
    void count_run_at_once() noexcept { ++counted_.run_at_once; }
    // Adds what it has counted since the last time to the process's counters.
    virtual void hand_in_counters() noexcept = 0;

    // See region.hpp. Of an elastic team: returns at once.
    virtual void wait_at_barrier() noexcept = 0;

    task_member(const task_member&) = delete;
    task_member& operator=(const task_member&) = delete;

protected:
    task_member(task_team& team, unsigned slot) noexcept : team_(team), slot_(slot) {}
    ~task_member() = default;

    unsigned depth_ = 0;  // tasks that it is running, inside each other
    worker_counters counted_;

private:
    task_team& team_;
    const unsigned slot_;
};

// A constructor may throw std::bad_alloc.
class task_team : public team, public deleted_through_base {
public:
    // Makes the calling thread the caller: opens the team and installs its member. Throws std::bad_alloc.
    virtual void enter_as_caller() = 0;
    // Undoes that: returns when every task has run and everybody has left.
    virtual void leave_as_caller() noexcept = 0;
    // For the caller of a fixed team, in this order. form() gets the workers, as far as threads can be had; throws
    // std::bad_alloc, with none got. run_region() runs a region (region.hpp) on up to `size` members, and returns on
    // how many. dissolve() lets the workers go.
    virtual void form() = 0;
    virtual unsigned run_region(unsigned size, region_function body, void* argument) noexcept = 0;
    virtual void dissolve() noexcept = 0;
    virtual ~task_team() = default;

    // How many members a fixed team has, once it was formed.
    unsigned member_count() const noexcept { return member_count_; }

    const team_options& how() const noexcept { return how_; }
    // Nobody else will ever come.
    bool is_alone() const noexcept { return how_.settings.slots == 1; }
    // Whether members keep tasks to themselves until somebody asks; otherwise each task is in reach from its push on.
    bool shares_on_request() const noexcept { return shares_on_request_; }

    const std::stop_token& stop() const noexcept { return stop_; }
    bool is_stopping() const noexcept {
        // relaxed: seen soon is enough; nothing is read through it.
        return stopping_.load(std::memory_order_relaxed);
    }
    // No more is begun, and members are told to look.
    void begin_stop() noexcept {
        // relaxed: ordered by the fence in the request, before the members' marks are set.
        stopping_.store(true, std::memory_order_relaxed);
        request();
    }

    // A thread that need not be a member makes a task ready. The team lives until the task has run: that is the
    // caller's concern, such as by making it part of something that the team waits for.
    void inject(task_header& ready) noexcept {
        // relaxed: the lanes' mutex orders it before the task's run, and so before the end of the team.
        injecting_.fetch_add(1, std::memory_order_relaxed);
        if (is_fixed())
            // relaxed: the lanes' mutex publishes it with the task.
            injected_.fetch_add(1, std::memory_order_relaxed);
        if (counts())
            count_injected();
        put_into_lanes(ready);
        // release: our last use of the team; partner: the acquire in await_injecting().
        injecting_.fetch_sub(1, std::memory_order_release);
    }

    // After something was done that sleepers of the team may wait for.
    void notify_waiters() noexcept {
        // After a fence, which pairs with those in event_count::prepare_sleep().
        idle().members().notify_all();
        notify_blocked();
    }

protected:
    task_team(const team_options& how, bool shares_on_request, const std::stop_token& stop, admission admits)
        : team(how.settings.slots, how.spin_us, how.settings.counts, admits), how_(how),
          shares_on_request_(shares_on_request), stop_(stop) {}

    static void count_injected() noexcept;

    // At the end of the team. Its last task may have run while the thread that made it ready still calls sleepers.
    void await_injecting() const noexcept {
        // acquire: those threads have left; partner: the release in inject().
        for (backoff wait; injecting_.load(std::memory_order_acquire) != 0;)
            wait.pause();
    }

    // Any member may be the only one that may run it.
    void put_into_lanes(task_header& ready) noexcept {
        lanes_.put(ready);
        // After a fence, which pairs with those in event_count::prepare_sleep().
        idle().work_visible_to_some();
        notify_blocked();
    }

    // Members that sleep and take nothing but what is their own, or in the lanes; publishers of other tasks do not call
    // them.
    void notify_blocked() noexcept {
        if (blocked_.sleeping() != 0)
            blocked_.notify_all();
    }

    priority_lanes<task_header> lanes_;
    event_count blocked_;
    atomic<std::uint64_t> injected_{0};  // tasks of inject(); counted in fixed teams alone
    atomic<unsigned> injecting_{0};      // threads inside of inject()
    unsigned member_count_ = 1;

private:
    const team_options how_;
    const bool shares_on_request_;
    const std::stop_token stop_;
    atomic<bool> stopping_{false};
};

// Throws std::bad_alloc.
task_team* make_task_team(const team_options& how, const std::stop_token& stop, admission admits = admission::elastic);

// In the child of a fork(), instead of waiting for what its parent's threads may have begun: false, the goal is
// reached; true, nobody has begun `until`, so it is the caller's to run. Otherwise ends the process with a message.
bool is_left_to_child(const goal& awaited, const task_header* until) noexcept;

}  // namespace teff
