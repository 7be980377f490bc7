// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event of a task with a detach clause (OpenMP 5.1, section 2.12.1): the task ends when its function has returned
// and its event is fulfilled, by any thread at any time. Tasks of Clang's proxy kind end in the same way.
//
//   state:  pending -> returned  -> the thread that fulfils the event makes the task's end ready
//           pending -> fulfilled -> the thread that ran the function ends the task
//           pending -> dropped   -> the task was cancelled and has ended; the thread that fulfils the event frees it
//
// A thread that fulfils the event after the function has returned leaves the end of the task to a member of the task's
// team, as a task of its own, so a thread outside the team touches neither the task's family nor its memory. The thread
// that ran the function announces this task to the team before it stores `returned` (task_team::announce_injection), so
// no barrier opens before the task has run.
//
//                           allow_event    function_returned, drop    fulfil     safe together?
//   allow_event                 -                 -                -        the thread that makes the task
//   function_returned, drop                       -               yes       the thread that runs it, or drops it
//   fulfil                                                         -        any thread, once
#pragma once

#include <teff/base/allocation.hpp>
#include <teff/base/atomic.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff {

class task_team;

}  // namespace teff

namespace teff::openmp {

struct completion_event {
    static constexpr unsigned pending = 0, returned = 1, fulfilled = 2, dropped = 3;

    explicit completion_event(deferred_task& its_task) noexcept : of(its_task) {}

    atomic<unsigned> state{pending};
    // constant once the task may run
    deferred_task& of;
    task_team* team = nullptr;  // nullptr: a team of one thread
    place* home = nullptr;      // its place
    // of an undeferred task: counts down at the task's end, for the thread that waits for it
    count_latch* awaited = nullptr;
    [[no_unique_address]] events::event_record tool;
};

// Gives the task an event, before it is submitted. Ends the program with a message if there is no memory.
void allow_event(place& caller, deferred_task& made) noexcept;
// True: the event is fulfilled; the caller ends the task. False: the caller must not touch the task any more.
bool function_returned(deferred_task& self) noexcept;
void fulfil(completion_event& event) noexcept;
// Called for a task that has ended without a call of its function. Its event may still be fulfilled later.
void drop(completion_event& unused) noexcept;
// Ends or drops the event at the end of its task (complete(), run.hpp). Returns the latch that the caller counts down
// when the task has ended; nullptr: there is none.
inline count_latch* end_event(deferred_task& ended) noexcept {
    count_latch* const awaited = ended.event->awaited;
    if (ended.is(task::was_dropped))
        drop(*ended.event);
    else
        destroy(ended.event);
    return awaited;
}

// Runs an undeferred task with an event, and waits until it has ended.
void run_until_fulfilled(place& caller, deferred_task& made) noexcept;
// For a caller that runs the task's function itself, between these two calls. The parent goes on when the function has
// returned (OpenMP 5.1, section 2.12.1); until the event is fulfilled, the task is one of its unfinished children.
void begin_undeferred_with_event(place& caller, deferred_task& made) noexcept;
void end_undeferred_with_event(place& caller, deferred_task& made) noexcept;

}  // namespace teff::openmp
