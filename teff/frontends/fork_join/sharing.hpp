// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides when a thread shares its work: the jobs of its forks, and tasks of groups. All functions act on the calling
// thread; `self` is its member.
//
// Each job is pushed to the scheduler when it is made. With a scheduler that shares on request (demand), a push costs
// little, and idle workers obtain what was pushed whatever its owner does. A thread with enough tasks queued makes its
// forks plain until it has used them up, or until a worker asks for work.
#pragma once

#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/runtime/wait_condition.hpp>

namespace teff::forking {

// Call before anything that needs a team. Finds the bounds of the stack, and makes a team for a thread that is in none.
// The thread stays without a team if it is exiting, or if it is inside forks of an orphaned team. Throws
// stack_exhausted, or what the start of a team throws.
void attach();

// Called by a fork that is not plain, with its new job `made`, the youngest one: shares it, if it is wanted. False:
// the team is stopping, and nothing was done.
bool answer(task_member& self, job& made) noexcept;
// Called after the youngest job was removed from the list, or after the wait for a group.
void took_back(task_member& self) noexcept;
// Whether another member would take a job at once. Also true in a team of one member, where the next fork makes all
// later ones plain.
bool is_awaited(task_member& self) noexcept;

// Whether the member accepts another task of a group that has `siblings` unfinished tasks; if not, the caller runs the
// task itself. visits: the group was made on another thread, so the caller may never wait for it.
bool wants_task(task_member& self, unsigned siblings, bool visits) noexcept;
// Pushes a task of a group with `siblings` unfinished tasks, this one included. False: the scheduler refused it.
bool submit(task_member& self, task_header& made, unsigned siblings) noexcept;

// How the thread waits at this depth of its stack: for a job of its own that was shared, and for a group.
wait_rules rules_for_job(task_member& self, const job& made) noexcept;
wait_rules rules_for_group(task_member& self) noexcept;

}  // namespace teff::forking
