// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last steps of a task: it is taken, runs and ends. There are three ways, the shortest one first:
//
//   run_at_once               a call on the thread that makes the task, with a record in the frame. Nothing is counted:
//                             the task has ended before its parent continues
//   begin_now ... end_now     the same for a task that is in a descriptor already, which is freed at the end
//   run_queued ... complete   a task that was counted as a child (submit.hpp): on any member of the team that takes it,
//                             or on the thread that makes it, if the scheduler refuses it
//
//                                             complete         safe together?
//   run_at_once, begin_now, end_now              yes           the thread that runs the parent task
//   run_queued, complete                         yes           any member of the team
#pragma once

#include <teff/frontends/openmp/core/events/events.hpp>
#include <teff/frontends/openmp/core/tasks/task_memory.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

// Runs `call()` as a child of the running task, with a record in this frame. bits: flags of the task besides
// is_explicit. The caller has checked that the task is not dropped.
template <class Call>
[[gnu::always_inline]] inline void run_at_once(place& caller, std::uint32_t bits, Call&& call) noexcept {
    task& parent = *caller.current;
    task record;
    record.parent = &parent;
    record.group = parent.group;
    record.environment = parent.environment;
    record.flags = task::is_explicit | bits | (parent.flags & task::is_final);
    events::task_created(record, events::flags_of(record.flags, false), false);
    events::task_begins(parent, record);
    caller.current = &record;
    {
        const events::program_call called(record, TEFF_OWN_FRAME);
        call();
    }
    caller.current = &parent;
    events::task_ends(record, events::task_status::complete, parent);
    if (record.is(task::owns_something)) [[unlikely]]
        release_owned(record);
}

// The same for a task in a descriptor, in two steps. The second one frees it.
inline void begin_now(place& caller, deferred_task& made) noexcept {
    task& parent = *caller.current;
    made.parent = &parent;
    made.group = parent.group;
    made.environment = parent.environment;
    made.flags |= task::is_explicit | (parent.flags & task::is_final);
    events::task_begins(parent, made);
    caller.current = &made;
}
inline void end_now(place& caller, deferred_task& made) noexcept {
    caller.current = made.parent;
    events::task_ends(made, events::task_status::complete, *made.parent);
    if (made.is(task::owns_something)) [[unlikely]]
        release_owned(made);
    free_task(caller, made);
}
// Both steps, and the task's function in between.
void run_now(place& caller, deferred_task& made) noexcept;

// The function in the header of a counted task: the team calls it for a task that a member has taken.
void run_queued(task_header& header) noexcept;
// Runs counted tasks that the scheduler has refused.
void run_all(place& caller, depend::ready_list& refused) noexcept;
// Counts the task as a child of the running task, and runs it now.
void run_counted(place& caller, deferred_task& made) noexcept;
// Ends a counted task whose function has returned and whose event, if any, is fulfilled. Adds to `refused` the tasks
// that the caller must run, since the scheduler has refused them.
void complete(place& caller, deferred_task& ended, depend::ready_list& refused) noexcept;

// The record of a task that the team is about to run; nullptr: it is not a task of this runtime.
inline const deferred_task* as_queued_task(const task_header& some) noexcept {
    return some.run == &run_queued ? &deferred_task::of(const_cast<task_header&>(some)) : nullptr;
}

}  // namespace teff::openmp
