// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides when a thread shares the jobs of its forks, by the rules of team/deferral.hpp. All functions act on the
// calling thread; `self` is its member. Apart from job.hpp, since public headers include that one and need no team.
//
// A fork that is not plain gives its job to the scheduler, or to the mailbox of another member (crew.hpp).
#pragma once

#include <teff/frontends/fork_join/job.hpp>
#include <teff/team/latch_wait.hpp>
#include <teff/team/task_team.hpp>

namespace teff::forking {

// Call before anything that needs a team. Finds the bounds of the stack, and makes a team for a thread that is in none.
// The thread stays without a team if it is exiting, or if it is inside forks of an orphaned team. Throws
// stack_exhausted if the stack is too small or used up and the thread has no team yet, or what the start of a team
// throws.
void attach();

// Called by a fork that is not plain, with its new job `made`, the youngest one: shares it, if it is wanted. False:
// the team is stopping, and nothing was done.
bool share_new_job(task_member& self, job& made) noexcept;
// Prepares a job that the caller then puts into a mailbox.
void prepare_to_give(task_member& self, strand& own_strand, job& made) noexcept;
// Waits a bounded time for the end of a job that was given, and takes the job back if its member has not taken it. The
// result `is_taken`: the member has the job, and the caller must wait for its end. self: nullptr in the child of a
// fork(), which does not wait.
enum class given_state { is_taken, has_ended, is_back };
given_state look_at_given(task_member* self, job& made) noexcept;
// Called after the youngest job was removed from the list, or after the wait for a group.
void after_join(task_member& self) noexcept;
// Whether another member would take a job at once. Also true in a team of one member, where the next fork makes all
// later ones plain.
bool is_awaited(task_member& self) noexcept;

// The rules by which the thread, at this depth of its stack, waits for a shared job of its own.
wait_rules rules_for_job(task_member& self, job& made) noexcept;

}  // namespace teff::forking
