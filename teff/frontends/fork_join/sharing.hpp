// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When a thread gives away what it has: the jobs of its forks, and tasks of groups. All calls are about the calling
// thread, which is a member of a team.
//
// With a scheduler that shares on request (demand) jobs stay private until a worker asks, and a thread with enough at
// hand makes its forks plain. With the others each job goes to the scheduler at once.
#pragma once

#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/goal.hpp>
#include <teff/runtime/task_team.hpp>

namespace teff::forking {

// Before anything that needs a team: the calling thread knows its stack, and is a member of a team unless it is about
// to end, or inside of forks of an orphaned team. Throws stack_exhausted, or what the start of a team throws.
void attach();

// Somebody asked, or the scheduler wants every job: shares what there is to share. `made` is the youngest. False: the
// team stops, and nothing was done.
bool answer(task_member& self, job& made) noexcept;
// The youngest job is not one any more, or a group has ended.
void took_back(task_member& self) noexcept;
// Whether a job would be taken at once; also true where the first fork makes all others plain.
bool is_awaited(task_member& self) noexcept;

// Whether it takes another task of a group that has so many: otherwise the caller runs it. The caller may have nothing
// more to do with the group (visits), and need not come back.
bool wants_task(task_member& self, unsigned siblings, bool visits) noexcept;
// Takes a task of a group. False: refused.
bool submit(task_member& self, task_header& made) noexcept;

// How the thread waits here, by what is left of its stack: for a job of its own that was shared, and for a group.
wait_rules rules_for_job(task_member& self, const job& made) noexcept;
wait_rules rules_for_group(task_member& self) noexcept;

}  // namespace teff::forking
