// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strand: calls inside each other on one stack, which one thread runs at a time. What belongs to the calls, and not
// to the thread that happens to run them, is here. A thread that switches to another strand stores its address and the
// word that plain forks compare with (thread_context.hpp); so a strand may be suspended on one thread and resumed on
// another.
//
//   a thread's own      from the start of the thread; on its own stack
//   a nested one        while the thread is a member of another team (member_scope.hpp); on the stack of the outer one
//
// All fields belong to the thread that runs the strand. What hands a suspended strand to another thread orders them.
#pragma once

#include <cstdint>

namespace teff {

namespace forking {

struct job;
struct view;

}  // namespace forking

// Addresses of a stack, which grows down. Constant once measured.
struct stack_bounds {
    std::uintptr_t low = 0;     // the lowest
    std::uintptr_t limit = 0;   // below it no fork is made: the rest is for what is called between two forks
    std::uintptr_t middle = 0;
    std::uintptr_t high = 0;    // one past the highest

    bool is_below_limit(std::uintptr_t here) const noexcept { return here >= low && here < limit; }
    // An address outside is on a stack of which nothing is known, such as that of a user's coroutine.
    bool is_in_upper_half(std::uintptr_t here) const noexcept { return here >= middle && here < high; }
};

struct strand {
    // open forks that have left a job (frontends/fork_join/job.hpp)
    forking::job* youngest = nullptr;     // nullptr: there is none
    forking::job* last_shared = nullptr;  // the youngest shared one; of schedulers that share on request
    unsigned pending = 0;                 // private ones
    unsigned shared = 0;                  // the others, but those that were seen to be taken
    forking::job* look_at = nullptr;      // where the search for those goes on; nullptr: at the youngest one
    unsigned groups = 0;                  // task groups that were given a task, and may still have it
    // copies of ordered reducers (frontends/fork_join/views.hpp)
    forking::view* views = nullptr;

    const stack_bounds* stack = nullptr;  // nullptr: not measured yet
    // By which task groups know where they were made; nested strands have that of the outermost one.
    const strand* home = this;
};

}  // namespace teff
