// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Waits for tasks: taskwait, the end of a taskgroup (OpenMP 5.1, section 2.19), taskyield. Meanwhile the thread takes
// queued tasks and runs them on top of the waiting one. Barriers wait in another way (team/region_barriers.hpp), and
// may run any task of the team.
//
// A waiting thread may run only descendants of the waiting task, tasks of the group that it waits for, and untied tasks
// (task scheduling constraint, section 2.12.6). So a thread begins a tied task only on top of a task from which it
// descends, or whose group it is in.
//
// Each function is called by the thread that runs the waiting task.
#pragma once

#include <teff/frontends/openmp/core/teams/place.hpp>

namespace teff::openmp {

// Waits for the deferred children of the running task.
void wait_for_children(place& caller) noexcept;
// Waits until the latch is zero. The thread runs tasks that the running task may wait for, and those of `group`.
void wait_for(place& caller, count_latch& latch, const taskgroup* group) noexcept;

// The running task begins a group, and ends the one that it has begun last.
void begin_taskgroup(place& caller, bool is_of_construct = false) noexcept;
void end_taskgroup(place& caller) noexcept;

// Runs a queued task that the running task may wait for. False: there is none.
bool run_a_descendant(place& caller) noexcept;
// The taskyield construct: runs a queued task that the running task may be suspended for, if it has unfinished
// children.
void yield_to_task(place& caller) noexcept;

}  // namespace teff::openmp
