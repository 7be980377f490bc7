// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The blocks and tasks that enclose the code that a strand runs. Blocks are Chapel's (frontends/threads/
// surroundings.hpp): a task gets them from the code that makes the task, whatever thread runs it. Tasks are the tasks
// of groups that the code is a part of.
//
// The second function of a fork ends inside the block and the task, since the fork does. Another task may end later
// than the code that has made it, so it is a part of the block, which waits for it, but not of the task.
//
// A task that waits for its own group would wait for itself. The chain of tasks shows that (group_state.cpp). It costs
// a task that is queued some stores. A task that run() calls as a plain call has no entry: the group does not count it,
// so that a wait inside does not wait for it either.
#pragma once

namespace teff {

// A sync_block (frontends/threads/sync_block.hpp).
struct enclosing_block {
    void (*const begin_part)(enclosing_block& self) noexcept;
    void (*const end_part)(enclosing_block& self) noexcept;
};

// A task that is under way; on the stack of the thread that runs it.
struct running_task {
    const void* group;           // or arena; nullptr: neither counts it, such as a task of dataflow
    const running_task* around;  // the next one; nullptr: there is none
    bool is_counted;             // by the group; otherwise run() has called it
    bool is_inside;              // of the next one; otherwise it runs on top of it, while that one waits
    bool is_of_arena = false;    // not of a group
};

struct enclosing {
    enclosing_block* block = nullptr;    // the innermost one; nullptr: none
    bool is_serial = false;              // inside a serial block
    const running_task* task = nullptr;  // the innermost one; nullptr: none
};

}  // namespace teff
