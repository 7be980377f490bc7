// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guests: threads that are members of a team for the time of one call. A team that takes guests has no caller, and
// stays open between the calls; arenas are made of such teams (frontends/fork_join/arena_state.hpp).
//
// A guest takes a free slot, as a worker does, so there are never more members than slots. If there is none, the call
// is offered to two kinds of threads:
//
//   a member of the team            takes the call as a task out of the urgent lanes, and runs it
//   a member that leaves            passes its slot to the first call in the list, if that one's task is still in the
//                                   lanes, and takes the task out of them. The guest then runs the call itself.
//
// Exactly one of the two happens, since both take the task out of the lanes. The guest waits until then. As a member of
// another team it runs tasks there meanwhile, so two arenas of one thread whose tasks call each other do not block.
// Without the second way a call could wait for ever while a slot is free: all workers may be elsewhere.
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

// On the stack of the guest. `run` of the header runs the call, and ends with over.count_down().
struct guest_call : task_header, parked_wait, list_hook {
    // Calls before tasks: a thread waits for each of them.
    static constexpr std::uint32_t urgency = 62;

    explicit guest_call(function what) noexcept
        : task_header(what),
          parked_wait{[](parked_wait& self) noexcept { static_cast<guest_call&>(self).over.count_down(); }} {
        priority = urgency;
    }

    count_latch over{1};  // counts until the call has run, or has a slot
    // under the pool's mutex
    unsigned slot = work_source::no_slot;
    bool is_offered = false;
};

}  // namespace teff
