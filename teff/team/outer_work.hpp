// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lets a thread that waits in an arena run tasks of the teams around it. The thread has entered the arena from a task
// of another team and keeps its slot there, so other threads may wait for tasks that only this slot can run: an arena
// with one slot would stop. So before the thread falls asleep in the inner arena, it looks for tasks in the teams
// further out, and runs them on top of its wait:
//
//   thread 1    team  ->  arena A  ->  arena B, waits            runs tasks of B, then of A, then of the team
//
// The search ends at the innermost team that is not an arena, which it includes: a program uses execute() with options,
// or isolate(), to keep other tasks off its stack. While the thread runs such a task on top of its wait, it is a member
// of the outer team again, and the teams in between count as further out.
//
// Why all waits terminate. Each wait is for a task or a call that begins after the waiting task has begun. A thread
// takes a task only on top of tasks that it has begun, so everything below a task on a stack has begun before it.
// Therefore no cycle of waits is possible among tasks that have begun. A task that has not begun is queued in a team,
// and a waiting member of this team takes it, wherever in this chain the member waits. The exception is the call of a
// guest, which may wait for tasks that were enqueued before it. It runs on a fiber (guests.hpp), which is suspended,
// and so lies on no worker's stack while it waits.
//
// Before the thread sleeps it becomes a second sleeper (scheduler/event_count.hpp) of the teams further out, and stays
// one until its search in the inner team ends.
//
// Rejected: lending the slot to another thread while its owner sleeps. The owner would have to get the slot back before
// it continues, and would wait for that, too; and each nested wait would cost a thread.
#pragma once

#include <teff/strand/worker.hpp>
#include <teff/team/session.hpp>
#include <teff/team/task_team.hpp>

#include <utility>

namespace teff {

// Exists during one wait; used by the thread that waits.
class outer_work {
public:
    outer_work(const task_member& self, const wait_rules& rules) noexcept
        : self_(self), rules_(rules), may_be_(!self.team().is_fixed()) {}
    ~outer_work() {
        end_sleep();
        if (has_slept_) [[unlikely]]
            pass_on();
    }
    outer_work(const outer_work&) = delete;
    outer_work& operator=(const outer_work&) = delete;

    // Looks for tasks further out, for a thread that is about to sleep. True: run_one() is due.
    bool is_found() noexcept {
        if (!may_be_ || is_due_)
            return is_due_;
        looks_again_ = !look();
        return is_due_;
    }
    // The same, but looks only at the first call after a sleep.
    bool is_found_after_sleep() noexcept { return is_due_ || (std::exchange(looks_again_, false) && look()); }
    bool is_due() const noexcept { return is_due_; }
    // Takes a task and runs it; yields the processor if another thread was faster.
    void run_one() noexcept;

    // The thread has announced that it will sleep on this event count. Call is_found() afterwards.
    void begin_sleep(event_count& where) noexcept {
        if (may_be_ && !is_announced_)
            announce(where);
    }
    void end_sleep() noexcept {
        if (is_announced_) [[unlikely]]
            withdraw();
    }

private:
    template <class Visit>
    task_member* find(Visit&& visit) const noexcept;
    bool takes_others(const task_member& outer) const noexcept;
    bool leaves_all(const task_member& outer) const noexcept;
    bool look() noexcept;
    void announce(event_count& where) noexcept;
    void withdraw() noexcept;
    void pass_on() noexcept;

    const task_member& self_;
    const wait_rules& rules_;
    const bool may_be_;
    bool is_due_ = false;
    bool looks_again_ = false;
    bool has_slept_ = false;  // a wake-up from a team further out may have been meant for work not looked for since
    bool is_announced_ = false;
};

// For a thread that continues in another team: makes its tasks in the present team visible, and gives up its seat
// there. Out of line: also called after a wait, where the code may run on another thread.
void leave_for_a_while() noexcept;

// Lets the calling thread work again in a team further out, of which it is still a member. The constructor makes its
// tasks in the present team visible, and gives up its seat there. The destructor makes its tasks in the other team
// visible.
class scoped_return {
public:
    explicit scoped_return(task_member& to) noexcept : kept_(to), inside_(to.team()), again_(to) {}

private:
    struct scoped_seat {
        explicit scoped_seat(task_member& member) noexcept : self(member) {
            leave_for_a_while();
            self.keep_seat(kept);
        }
        ~scoped_seat() {
            self.end_keeping_seat(kept);
            self.show_all();
        }
        task_member& self;
        kept_seat kept;
    };

    scoped_seat kept_;
    scoped_membership inside_;
    member_scope again_;
};

}  // namespace teff
