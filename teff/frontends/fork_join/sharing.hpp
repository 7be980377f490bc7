// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides when a thread shares the jobs of its forks, by the rules of runtime/deferral.hpp. All functions act on the
// calling thread; `self` is its member.
//
// Each job is pushed to the scheduler when it is made.
#pragma once

#include <teff/frontends/fork_join/job.hpp>
#include <teff/runtime/task_team.hpp>
#include <teff/runtime/wait_condition.hpp>

namespace teff::forking {

// Call before anything that needs a team. Finds the bounds of the stack, and makes a team for a thread that is in none.
// The thread stays without a team if it is exiting, or if it is inside forks of an orphaned team. Throws
// stack_exhausted if the stack is too small or used up and the thread has no team yet, or what the start of a team
// throws.
void attach();

// Called by a fork that is not plain, with its new job `made`, the youngest one: shares it, if it is wanted. False:
// the team is stopping, and nothing was done.
bool answer(task_member& self, job& made) noexcept;
// Called after the youngest job was removed from the list, or after the wait for a group.
void took_back(task_member& self) noexcept;
// Whether another member would take a job at once. Also true in a team of one member, where the next fork makes all
// later ones plain.
bool is_awaited(task_member& self) noexcept;

// How the thread waits at this depth of its stack for a job of its own that was shared.
wait_rules rules_for_job(task_member& self, job& made) noexcept;

}  // namespace teff::forking
