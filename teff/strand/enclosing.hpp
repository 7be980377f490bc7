// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks and tasks that enclose the code that a strand runs. Blocks are Chapel's (frontends/threads/
// sync_block.hpp): a task gets them from the code that makes the task, whatever thread runs it. Tasks are the tasks
// of groups that the code is a part of.
//
// The second function of a fork ends inside the block and the task, since the fork does. Another task may end later
// than the code that has made it, so it is a part of the block, which waits for it, but not of the task.
//
// A task that waits for its own group would wait for itself. The chain of tasks detects this (group_state.cpp), at the
// cost of some stores for each queued task. A task that run() calls as a plain call has no entry: the group does not
// count it, so a wait inside the task does not wait for it either.
#pragma once

namespace teff {

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

}  // namespace teff
