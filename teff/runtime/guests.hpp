// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guests: threads that are members of a team for the time of one call. A team that takes guests has no caller, and
// stays open between the calls; arenas are made of such teams (frontends/fork_join/arena_state.hpp).
//
// A guest takes a free slot, as a worker does, so there are never more members than slots. If there is none, the call
// is offered to two kinds of threads:
//
//   a member of the team      takes the call as a task out of the urgent lanes, and runs it, if it may (see below)
//   a member that leaves      passes its slot to the first guest in the list that is in no team. Guests that are
//                             members of other teams are invited: they try once more to get a slot, and offer the call
//                             again if they get none.
//
// A call is run by the thread that takes its task out of the lanes: a member, the guest that has a slot, or for a slot
// that is passed on, the member that leaves. So it is run once.
//
// The call may wait for tasks that the guest has handed over before. If a member ran it on top of such a task, neither
// would end. So a member that is inside a task, and waits there, takes only calls that it may run on top of its tasks:
// calls of guests that are members of other teams, and have not made the groups of these tasks. It has to take these:
// two threads, each in the only slot of an arena, may call each other's arena.
//
// A guest that is in no team sleeps until its turn, and takes a passed slot at once. One that is a member of another
// team runs tasks there meanwhile. On top of its wait such a task may wait itself, perhaps for a thread that needs a
// slot here; so a slot is not kept for this guest. Without slots that are passed on, a call could wait for ever while a
// slot is free: all workers may be elsewhere.
//
// The list is under the pool's mutex, and so are the slots. So no slot becomes free between a guest's look and the
// moment when its call is in the list. This mutex is taken before that of the lanes.
#pragma once

#include <teff/base/intrusive_list.hpp>
#include <teff/runtime/count_latch.hpp>
#include <teff/runtime/parked_wait.hpp>
#include <teff/runtime/work_source.hpp>
#include <teff/task/task_header.hpp>

#include <cstdint>

namespace teff {

struct running_task;

// The tasks on a member's stack below the call of a guest that it runs.
struct below_call {
    const running_task* task;  // the innermost one; nullptr: none
    const below_call* outer;   // of the call that this one is inside of; nullptr: of none
};

// On the stack of the guest. `run` of the header runs the call, then calls task_team::end_offer() as its last use.
struct guest_call : task_header, parked_wait, list_hook {
    // Before all tasks, since a thread waits for each of them. No task of a team that takes guests has this priority.
    static constexpr std::uint32_t urgency = std::uint32_t{1} << 30;

    // may_run_on(call, task): whether a member may run it on top of this task and those around it. nullptr: the guest
    // is in no team, and only a member that is inside no task runs the call.
    using condition = bool (*)(const guest_call& self, const running_task* task) noexcept;

    guest_call(function what, condition on_top) noexcept
        : task_header(what), parked_wait{&begin_turns}, may_run_on(on_top) {
        priority = urgency;
    }

    bool is_of_member() const noexcept { return may_run_on != nullptr; }

    const condition may_run_on;
    count_latch turn{1};  // counts until the guest has a slot, is invited, or a member has run the call
    count_latch over{1};  // counts until a member has run the call
    // under the pool's mutex
    unsigned slot = work_source::no_slot;
    bool is_offered = false;          // and in the list
    bool has_turn = false;            // `turn` is counted down, or about to be
    guest_call* next_turn = nullptr;  // another guest that is told of its turn after this one

private:
    static void begin_turns(parked_wait& first) noexcept;
};

}  // namespace teff
