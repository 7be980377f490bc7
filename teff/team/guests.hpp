// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guests: threads that are members of a team for the time of one call. A team that takes guests has no caller, and
// stays open between the calls; arenas are made of such teams (frontends/fork_join/arena_state.hpp).
//
// A guest takes a free slot, as a worker does, so there are never more members than slots. If no slot is free, the call
// is offered to two kinds of threads:
//
//   a member of the team      takes the call as a task out of the urgent lanes, and runs it
//   a member that leaves      passes its slot to the first guest in the list that is in no team. Guests that are
//                             members of other teams are invited: they try once more to get a slot, and offer the call
//                             again if they get none.
//
// A call is claimed by taking its task out of the lanes, so it runs once. A member takes the task and runs the call. A
// guest that gets a slot takes the task and runs its own call. A member that passes its slot to a guest takes the task
// for this guest.
//
// The call may wait for tasks that the guest has enqueued before. If a member ran the call on top of such a task,
// neither would end. So a member that waits inside a task takes only calls of guests that are members of other teams,
// and runs each on a fiber (run_on_fiber()). The fiber is suspended where the call waits, and another thread may
// continue it. The member must run these calls: two threads, each in the only slot of an arena, may call each other's
// arena. A member that waits in another arena further in takes them, too (outer_work.hpp). No task waits for the call
// of a guest that is in no team. So such a call waits until some member is outside of all tasks, or leaves.
//
// A guest that is in no team sleeps until its turn, and uses a passed slot at once. A guest that is a member of another
// team runs tasks of that team meanwhile. Such a task, on top of the guest's wait, may itself wait for a thread that
// needs a slot here. So no slot is kept for this guest. If slots were not passed on, a call could wait for ever while a
// slot is free: all workers may be elsewhere.
//
// The pool's mutex guards the list and the slots. So no slot becomes free between a guest's check for one and the
// moment when its call is in the list. This mutex is taken before the mutex of the lanes.
#pragma once

#include <teff/base/intrusive.hpp>
#include <teff/pool/work_source.hpp>
#include <teff/task/task_header.hpp>
#include <teff/team/count_latch.hpp>

#include <cstdint>

namespace teff {

class task_member;

// On the stack of the guest. `run` of the header runs the call, then calls task_team::end_offer() as its last use.
struct guest_call : task_header, parked_wait, list_hook {
    // Calls come before all tasks, since a thread waits for each call. No other task of a team that takes guests has
    // this priority.
    static constexpr std::uint32_t urgency = std::uint32_t{1} << 30;

    // of_member: whether the guest is a member of another team.
    guest_call(function what, bool of_member) noexcept
        : task_header(what), parked_wait{&begin_turns}, is_of_member(of_member) {
        priority = urgency;
    }

    const bool is_of_member;
    count_latch turn{1};  // counts until the guest has a slot, is invited, or a member has run the call
    count_latch over{1};  // counts until a member has run the call
    // under the pool's mutex
    unsigned slot = work_source::no_slot;
    bool is_offered = false;          // the call is in the list
    bool has_turn = false;            // `turn` is counted down, or about to be
    guest_call* next_turn = nullptr;  // the guest that begin_turns() wakes after this one

private:
    static void begin_turns(parked_wait& first) noexcept;
};

// Runs a task that the member has taken on a fiber, which is suspended where the task waits. If there is no memory for
// a fiber, runs the task on top of the calling stack. Defined where fibers are (frontends/threads/suspension.cpp).
void run_on_fiber(task_member& self, task_header& taken) noexcept;

}  // namespace teff
