// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A strand: nested calls on one stack, which one thread runs at a time. It holds the state that belongs to these calls
// and not to the thread that runs them. To switch to another strand, a thread stores the strand's address and the word
// that plain forks compare with (thread_context.hpp). So a strand may be suspended on one thread and resumed on
// another.
//
//   a thread's own      from the start of the thread; on its own stack
//   a nested one        while the thread is a member of another team (session.hpp); on the stack of the outer one
//   a fiber's           while the fiber lives (frontends/threads/fiber_state.hpp); on the fiber's stack
//
// Only the thread that runs a strand accesses its fields. The operation that hands a suspended strand to another thread
// orders these accesses.
#pragma once

#include <cstdint>

namespace teff {

// The blocks and tasks that enclose the code that a strand runs. Blocks are Chapel's
// (frontends/threads/sync_block.hpp): a task gets them from the code that makes the task, whatever thread runs it.
// Tasks are the tasks of groups that the code is a part of.
//
// The second function of a fork ends inside the block and the task, since the fork does. Another task may end later
// than the code that has made it, so it is a part of the block, which waits for it, but not of the task.
//
// A task that waits for its own group would wait for itself. The chain of tasks detects this (group_state.cpp), at the
// cost of some stores for each queued task. A task that run() calls as a plain call has no entry: the group does not
// count it, so a wait inside the task does not wait for it either.

// A sync_block (frontends/threads/sync_block.hpp).
struct enclosing_block {
    void (*const begin_part)(enclosing_block& self) noexcept;
    void (*const end_part)(enclosing_block& self) noexcept;
};

// A task that is under way; on the stack of the thread that runs it.
struct running_task {
    const void* group;           // or the arena; nullptr: neither counts the task, such as one of dataflow
    const running_task* around;  // the next task outwards; nullptr: none
    bool is_counted;             // whether the group counts it; otherwise run() has called it
    bool is_inside;              // whether it is a part of `around`; otherwise it runs on top of `around`, which waits
    bool is_of_arena = false;    // whether `group` is an arena
};

struct enclosing {
    enclosing_block* block = nullptr;    // the innermost one; nullptr: none
    bool is_serial = false;              // inside a serial block
    const running_task* task = nullptr;  // the innermost one; nullptr: none
};

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
