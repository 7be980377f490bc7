// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Submits a new task in a descriptor: the task runs at once, is deferred, or waits for others first. Front ends have a
// shorter way for tasks without clauses (run_at_once.hpp).
#pragma once

#include <teff/frontends/openmp/core/dependence.hpp>
#include <teff/frontends/openmp/core/place.hpp>

namespace teff::openmp {

// is_deferrable: false for if(false). The task is a child of the running task and may be gone afterwards.
void submit(place& here, deferred_task& made, bool is_deferrable, const dependence_list& dependences) noexcept;

// A task that does nothing: it only orders others by its dependences.
void submit_empty(place& here, const dependence_list& dependences) noexcept;

// Whether a new task must not be deferred: included tasks, and those with if(false).
inline bool is_undeferred(const place& here, bool is_deferrable) noexcept {
    return !is_deferrable || here.current->is(task::is_final);
}

// Whether a priority clause with this value has an effect.
inline bool has_effect(std::int32_t priority) noexcept { return priority > 0 && process().max_task_priority != 0; }
// The priority clause.
void set_priority(deferred_task& of, std::int32_t priority) noexcept;

// For undeferred tasks with an event whose function the caller runs itself: begins and ends one.
void begin_undeferred_with_event(place& here, deferred_task& made) noexcept;
void end_undeferred_with_event(place& here, deferred_task& made) noexcept;

// A task scheduling point: runs a task that the running one may be suspended for, if there is one.
void yield_to_task(place& here) noexcept;

}  // namespace teff::openmp
