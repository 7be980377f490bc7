// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A member of a task team: a thread with the operations push, take, run and wait, as a front end calls them. The class
// is an interface: task_member_of.hpp implements it for each scheduler, and frontends/threads/fiber_member.hpp for a
// member whose code runs on a fiber. See task_team.hpp for the design.
//
//   thread safety     only the thread that is this member
#pragma once

#include <teff/scheduler/event_count.hpp>
#include <teff/strand/wait_reason.hpp>
#include <teff/task/descriptor_pool.hpp>
#include <teff/task/task_header.hpp>
#include <teff/team/bound_tasks.hpp>
#include <teff/team/guests.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/team.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>

namespace teff {

class task_member;
class task_team;

// Which tasks a thread may run while it waits, for example only descendants of the task below on its stack. Constant
// during the wait. accepts() is called under a mutex, so it must not call any function of the team.
struct take_rules {
    bool (*accepts)(const task_header& offered, const void* context) noexcept = nullptr;  // nullptr: any
    const void* context = nullptr;

    bool operator()(const task_header& offered) const noexcept {
        return accepts == nullptr || accepts(offered, context);
    }
};

// How a member waits.
struct wait_rules {
    // A task that the member itself has queued. When the member takes it, the wait ends and the caller runs the task.
    task_header* until = nullptr;
    bool takes_others = true;  // takes other members' tasks, too, not only those that it has queued itself
    bool leaves_own = false;   // leaves its own tasks to other members while one is idle and can take them all
    take_rules may_run = {};
    // Runs a task that the member has taken, in place of a call on top of its stack; nullptr: such a call.
    void (*runs)(task_member& self, task_header& taken) noexcept = nullptr;
    const wait_reason* why = nullptr;  // for reports; nullptr: see task_member_of.hpp
    // The end of a region: a task that the member takes after the barrier has opened belongs to the next region, of
    // which the member has not begun its part. It goes to the lanes.
    bool ends_region = false;

    bool takes_any() const noexcept {
        return until == nullptr && !leaves_own && may_run.accepts == nullptr && runs == nullptr;
    }
};

// A thread in a team.
class task_member {
public:
    task_team& team() const noexcept { return team_; }
    // Its number: 0 (the caller) to the number of slots - 1.
    unsigned slot() const noexcept { return slot_; }
    // Whether the code runs on a fiber, which may be left where it waits.
    bool is_fiber() const noexcept { return is_fiber_; }
    // Whether it is running a task.
    bool is_inside() const noexcept { return depth_ != 0; }
    // Number of tasks that it is running, one inside the other.
    unsigned depth() const noexcept { return depth_; }
    // Whether it is the member of the team's caller, which is running no task.
    bool is_caller_outside_tasks() const noexcept { return slot_ == 0 && depth_ == 0; }

    // Whether it may run the task at this point, in a team that takes guests (guests.hpp).
    bool may_run_here(const task_header& offered) const noexcept {
        return offered.priority != guest_call::urgency || !is_inside() ||
               static_cast<const guest_call&>(offered).is_of_member;
    }

    // Queues a task. False: the task was refused and still belongs to the caller.
    virtual bool push(task_header& made) noexcept = 0;
    // The same at the end of a task, if surely_takes_newest(): other members leave this task to the member.
    virtual bool push_next(task_header& made) noexcept = 0;
    // Memory for tasks that this member makes. pools(): nullptr if its slot has no pools yet; make_pools(): nullptr if
    // there is no memory.
    virtual task_pools* pools() noexcept = 0;
    virtual task_pools* make_pools() noexcept = 0;
    // Takes a task from its own queue or from the lanes; nullptr: there is none that it may run.
    virtual task_header* take(const take_rules& may_run) noexcept = 0;
    // For a thread that waits as a member of another team (outer_work.hpp): whether there seems to be a task for it;
    // and takes one, nullptr if there is none. of_others: tasks in other members' queues, too.
    virtual bool sees_work(bool of_others) noexcept = 0;
    virtual task_header* take_some(bool of_others) noexcept = 0;
    event_count::second_sleeper& second() noexcept { return second_; }
    // Runs a task that was taken.
    virtual void run(task_header& taken) noexcept = 0;
    // Calls the function as if it were a task of this member.
    void call(void (*function)(void*), void* argument) {
        const struct scoped_depth {
            explicit scoped_depth(unsigned& in) noexcept : depth(in) { ++depth; }
            ~scoped_depth() { --depth; }
            unsigned& depth;
        } inside(depth_);
        function(argument);
    }
    // Runs tasks until the condition is met (returns false) or until it has taken rules.until (returns true).
    virtual bool wait(const wait_condition& awaited, const wait_rules& rules) noexcept = 0;

    // Takes back a task that this member has queued, if that is the one of its own that it would take next. Only
    // schedulers that share on request can; true: the task is the caller's again.
    virtual bool take_back(task_header& queued) noexcept = 0;

    // For a task that is left before it has ended, such as a fiber.
    // Queues it behind the tasks that this member has queued. False: it has to be injected instead.
    virtual bool push_last(task_header& left) noexcept = 0;
    // As take() without rules. It returns nullptr at once if the queue seems to be empty; take() makes sure of it.
    virtual task_header* take_quickly() noexcept = 0;
    struct next_task {
        task_header* taken;  // nullptr: there is none
        bool has_queued;     // the present task
    };
    // As take_quickly(), for a task that lets others run. If there is another task, and no other thread could take the
    // present one before it is left, it also does push_last() of the present one.
    virtual next_task take_in_place_of(task_header& present) noexcept = 0;
    // Whether a task that it pushed now would be the one that it takes next.
    virtual bool takes_newest() const noexcept = 0;
    // Whether the loop that runs the present task would take any task next. If so, the task may take it instead.
    bool takes_next() const noexcept { return depth_ == loop_depth_ + 1 && (until_ == nullptr || !until_->is_met()); }

    // Whether a task that it pushed now would be the one that it runs as soon as the present one has ended. (Another
    // thread may still queue an urgent task, which comes first. That wakes a worker, which takes private tasks by force
    // if it must.)
    bool surely_takes_newest() const noexcept {
        return depth_ == loop_depth_ + 1 && until_ == nullptr && takes_newest();
    }

    // The shepherd that the member works for, and whether it has a seat there (bound_tasks.hpp).
    virtual unsigned shepherd() noexcept = 0;
    virtual bool sits_at(unsigned shepherd) noexcept = 0;
    // For a thread that has taken tasks and may not do so again soon: it gives up its seat if that is not at home, or
    // if it is the caller outside of tasks.
    virtual void end_look() noexcept = 0;
    // For a thread that continues in another team, or sleeps until a thread outside the team wakes it: meanwhile other
    // members may run the tasks of its shepherd. Has no effect on a bound fiber, which keeps its seat.
    virtual void give_up_seat() noexcept = 0;
    // Called around a wait on top of a fiber that cannot be suspended, both with the same object: after the wait the
    // member has its seat again.
    virtual void keep_seat(kept_seat& kept) noexcept = 0;
    virtual void end_keeping_seat(const kept_seat& kept) noexcept = 0;

    // The following functions matter for schedulers that share on request. With all others every task is visible.
    // Makes all own tasks visible, in the lanes if need be: for a thread whose next operation may be far away.
    virtual void show_all() noexcept = 0;
    // How many of its tasks other members can take at once; and how many it has, visible or not.
    virtual unsigned visible() const noexcept = 0;
    virtual std::size_t queued() const noexcept = 0;

    // How many more tasks it has queued than taken, counted from a time that does not change during a burst. If the
    // number is the same at the beginning and at the end of a burst, no other thread has taken one of its tasks.
    std::uint64_t left_to_others() const noexcept { return counted_.pushed - counted_.run; }
    // Counts a task that was put into a mailbox; and one that was taken back from there.
    void count_given() noexcept {
        ++counted_.pushed;
        ++given_;
    }
    void count_taken_back() noexcept {
        ++counted_.run;
        --given_;
    }
    // How many tasks others have taken from mailboxes, in which this member had put them.
    std::uint64_t given() const noexcept { return given_; }
    // Counts a refused task, which runs at once.
    void count_run_at_once() noexcept { ++counted_.run_at_once; }
    // Adds its counts since the last call to the process's counters.
    virtual void hand_in_counters() noexcept = 0;

    // Count a fiber of the team that this member starts, and one that has ended on it (task_team::fibers()). The member
    // takes numbers from the team's count in batches, so that most fibers cost no access to shared memory. It gives
    // back what it has left when it runs dry.
    void count_fiber() noexcept;
    void count_ended_fiber() noexcept;
    void give_back_fiber_counts() noexcept;

    // See region.hpp. In an elastic team it returns at once.
    virtual void wait_at_barrier() noexcept = 0;
    virtual bool wait_at_cancellable_barrier() noexcept = 0;

    task_member(const task_member&) = delete;
    task_member& operator=(const task_member&) = delete;

protected:
    task_member(task_team& team, unsigned slot, worker_counters& counted) noexcept
        : counted_(counted), team_(team), slot_(slot) {}
    // For the object that represents the same member on a fiber.
    explicit task_member(task_member& same, unsigned depth) noexcept
        : depth_(depth), counted_(same.counted_), team_(same.team_), slot_(same.slot_), is_fiber_(true) {}
    ~task_member() = default;

    // For the scope of a loop that takes any tasks and runs them. until: the condition that ends it; nullptr: it ends
    // when there are no tasks.
    class scoped_loop {
    public:
        scoped_loop(task_member& self, const wait_condition* until) noexcept
            : self_(self), depth_before_(std::exchange(self.loop_depth_, self.depth_)),
              until_before_(std::exchange(self.until_, until)) {}
        ~scoped_loop() {
            self_.loop_depth_ = depth_before_;
            self_.until_ = until_before_;
        }
        scoped_loop(const scoped_loop&) = delete;
        scoped_loop& operator=(const scoped_loop&) = delete;

    private:
        task_member& self_;
        const unsigned depth_before_;
        const wait_condition* const until_before_;
    };

    unsigned depth_ = 0;  // see depth()
    worker_counters& counted_;
    // The value of a member's found_ (tasks_beside.hpp) while its seat is not at its home: the member goes home
    // before it takes a task from its queue. In other states the check for this costs nothing.
    static task_header away_mark_;

private:
    static constexpr unsigned no_loop = ~0U - 1;
    static constexpr unsigned fiber_batch = 64;

    task_team& team_;
    const unsigned slot_;
    const bool is_fiber_ = false;
    unsigned spare_fiber_counts_ = 0;  // counted in the team without a fiber
    // of the innermost loop that takes any task (scoped_loop): the depth of its caller, and its end
    unsigned loop_depth_ = no_loop;
    const wait_condition* until_ = nullptr;
    std::uint64_t given_ = 0;
    event_count::second_sleeper second_;
};

}  // namespace teff
