// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second step of a task: whether it runs at once, is queued, or waits for others first.
//
//   is_to_defer    asked before a task is made, by front ends that then run it at once (run.hpp) or defer() it
//   submit         for a task in a descriptor, with all its clauses
//
// A task is queued only if an idle worker asks for work (team/deferral.hpp), or if its clauses require it. A task that
// waits for others is counted as a child now, and queued when they have ended.
//
//                                  all       safe together?
//   all but hand_out, queue_all     -        the thread that runs the parent task
//   hand_out, queue_all            yes       any member of the team, for tasks that have become ready
#pragma once

#include <teff/frontends/openmp/core/tasks/dependences.hpp>
#include <teff/frontends/openmp/core/teams/place.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack.hpp>

namespace teff::openmp {

// Whether the next task certainly runs at once: two comparisons. A thread alone calls its tasks unless its stack is
// used up.
[[gnu::always_inline]] inline bool is_surely_plain(const place& caller) noexcept {
    return caller.size == 1 ? has_stack() : is_plain();
}
[[gnu::noinline]] bool wants_to_defer(place& caller) noexcept;
// Whether to make the next task a deferred one.
[[gnu::always_inline]] inline bool is_to_defer(place& caller) noexcept {
    return !is_surely_plain(caller) && wants_to_defer(caller);
}
// Whether a new task must not be deferred: it is an included task, or has if(false).
inline bool is_undeferred(const place& caller, bool is_deferrable) noexcept {
    return !is_deferrable || caller.current->is(task::is_final);
}

// Whether a priority clause with this value has an effect.
inline bool has_effect(std::int32_t priority) noexcept { return priority > 0 && process().max_task_priority != 0; }
// The priority clause.
void set_priority(deferred_task& deferred, std::int32_t priority) noexcept;

// Submits a child of the running task, which may have ended on return. is_deferrable: false for if(false).
void submit(place& caller, deferred_task& made, bool is_deferrable, const dependence_list& dependences) noexcept;
// Submits a task without a function, which only orders others by its dependences.
void submit_empty(place& caller, const dependence_list& dependences) noexcept;

// Makes the task a child of the running task, and queues it, or runs it now if the scheduler refuses it.
void defer(place& caller, deferred_task& made) noexcept;
// The two halves of defer(), for tasks that become ready later. The child is counted first. When it is ready, a member
// of its team queues it or, if the scheduler refuses it, runs it.
void count_child(place& caller, deferred_task& made) noexcept;
void make_ready(place& caller, deferred_task& ready) noexcept;
void make_ready(place& caller, depend::ready_list& ready) noexcept;
// False: the scheduler refuses the task, and the caller must run it.
bool queue(place& caller, deferred_task& ready) noexcept;
// Queues tasks, and adds those that the scheduler refuses to `refused`.
inline void queue_all(place& caller, depend::ready_list& ready, depend::ready_list& refused) noexcept {
    while (depend::tracked_task* const next = ready.pop()) {
        if (!queue(caller, task_of(*next)))
            refused.push(*next);
    }
}
// The same for a thread that must not run tasks: it leaves them to other members.
void hand_out(place& caller, depend::ready_list& ready) noexcept;

}  // namespace teff::openmp
