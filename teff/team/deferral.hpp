// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides when a thread queues a task for other threads, and when it runs the task at once as a plain call. Every front
// end whose tasks are waited for follows these rules: the tasks of groups, dataflow, and OpenMP. (A fork has its job in
// its own frame, so that it adds some rules: frontends/fork_join/sharing.hpp.)
//
// With a scheduler that shares on request (demand), a push costs little, and idle workers obtain what was pushed
// whatever its owner does. A thread with enough tasks queued runs its next tasks as plain calls until it has used up
// those that it has queued, or until a worker asks for work. With any other scheduler no call is plain.
//
// When the stack is used up to its reserve (stack.hpp), every task is queued, with any scheduler, since a call would
// need more stack. A task that the scheduler refuses goes to the team's lanes, which have no bound. So tasks that do
// not wait may create tasks to any depth without a deeper stack.
//
// All functions act on the calling thread; `self` is its member.
#pragma once

#include <teff/strand/running_strand.hpp>
#include <teff/team/task_team.hpp>

#include <cstddef>

namespace teff::deferral {

// While this many tasks have the same parent and have not ended, and no worker is idle, further ones run at once.
inline constexpr unsigned max_pending_siblings = 64;
// A member with this many queued tasks has enough in reserve for the workers that will ask next.
inline constexpr std::size_t min_queued = 4;

inline bool has_enough(task_member& self) noexcept { return self.queued() >= min_queued; }

// Makes the next tasks plain, unless a worker waits for one.
void be_plain(task_member& self) noexcept;
// With a scheduler that queues every task no call is plain.
inline void be_plain_if_shared(task_member& self) noexcept {
    if (self.team().shares_on_request())
        be_plain(self);
}
// Makes the next task take the slow path.
void request_self() noexcept;
// The same if the member has too few tasks queued, for example after a wait that ran some.
inline void request_if_due(task_member& self) noexcept {
    if (self.team().shares_on_request() && !self.team().is_alone() && !has_enough(self))
        request_self();
}

// A burst of the team's caller begins and ends (scheduler/short_bursts.hpp).
void begin_burst(task_member& self) noexcept;
void end_burst(task_member& self) noexcept;

// Whether the thread is in the half of its stack that is used first.
bool is_in_upper_half() noexcept;

// Whether the member accepts another task, of which `siblings` have not ended; if not, the caller runs the task itself.
// visits: the tasks belong to another thread, so the caller may never wait for them.
bool wants_task(task_member& self, unsigned siblings, bool visits) noexcept;
// Pushes a task with `siblings` unfinished tasks, this one included. False: the scheduler refused it.
bool submit(task_member& self, task_header& made, unsigned siblings) noexcept;
// The same for a task that never runs as a plain call, such as a fiber: it leaves the caller's next calls as they are.
bool queue_outside_tasks(task_member& self, task_header& made) noexcept;  // if the member runs no task
inline bool queue(task_member& self, task_header& made) noexcept {
    return self.is_inside() ? self.push(made) : queue_outside_tasks(self, made);
}
// The same for a task that other threads must be able to take: if the scheduler refuses it, it goes to the lanes.
void queue_surely(task_member& self, task_header& made) noexcept;

// How the thread waits for tasks at this depth of its stack.
bool may_take_others(task_member& self) noexcept;
wait_rules rules_for_wait(task_member& self) noexcept;

}  // namespace teff::deferral
