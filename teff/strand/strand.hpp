// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strand: nested calls on one stack, which one thread runs at a time. It holds the state that belongs to these calls
// and not to the thread that runs them. To switch to another strand, a thread stores the strand's address and the word
// that plain forks compare with (thread_context.hpp). So a strand may be suspended on one thread and resumed on
// another.
//
//   a thread's own      from the start of the thread; on its own stack
//   a nested one        while the thread is a member of another team (member_scope.hpp); on the stack of the outer one
//   a fiber's           while the fiber lives (frontends/threads/fiber_state.hpp); on the fiber's stack
//
// Only the thread that runs a strand accesses its fields. The operation that hands a suspended strand to another thread
// orders these accesses.
#pragma once

#include <teff/strand/enclosing.hpp>

#include <cstdint>

namespace teff {

namespace forking {

struct job;
struct view;

}  // namespace forking

namespace openmp {

struct place;

}  // namespace openmp

namespace threads {

class fiber_state;

}  // namespace threads

// The tasks with dependences that a function has spawned (dataflow/procedure.hpp).
struct spawned_tasks {
    // Waits for the tasks and frees this object.
    void (*end)(spawned_tasks& self) noexcept;
};

// Addresses of a stack, which grows down. Constant once measured.
struct stack_bounds {
    std::uintptr_t low = 0;     // the lowest
    std::uintptr_t limit = 0;   // no fork is made below it: the rest is for the calls between two forks
    std::uintptr_t middle = 0;  // half of what is above the limit; tasks of others are taken only above it
    std::uintptr_t high = 0;    // one past the highest

    bool is_below_limit(std::uintptr_t stack_top) const noexcept { return stack_top < limit && stack_top >= low; }
    // An address outside the bounds is on a stack that the runtime does not know, such as that of a user's coroutine.
    bool is_in_upper_half(std::uintptr_t stack_top) const noexcept { return stack_top >= middle && stack_top < high; }
};

struct parked_wait;

struct strand {
    // open forks that have left a job (frontends/fork_join/job.hpp)
    forking::job* youngest = nullptr;     // nullptr: there is none
    unsigned shared = 0;                  // number of shared jobs, without those that are known to be taken
    forking::job* scan_cursor = nullptr;  // where the search for taken jobs continues; nullptr: at the youngest one
    // The wait for which a fiber was suspended, if it waits for a job. The thread that ends the job may read it when
    // the job's state has the bit `has_waiter`.
    parked_wait* parked = nullptr;
    // views of ordered reducers (frontends/fork_join/views.hpp)
    forking::view* views = nullptr;

    enclosing around = {};  // of the code that runs

    // the spawned tasks of the function that runs; nullptr: none
    spawned_tasks* spawned = nullptr;

    // in a team of the OpenMP runtime (frontends/openmp/core/teams/place.hpp); nullptr: none so far
    openmp::place* place = nullptr;

    const stack_bounds* stack = nullptr;  // nullptr: not measured yet
    // Identifies the strand for task groups, which store where they were made. A nested strand has the home of the
    // outermost one.
    const strand* home = this;
    threads::fiber_state* fiber = nullptr;  // the fiber whose strand it is; nullptr: a thread's
};

}  // namespace teff
