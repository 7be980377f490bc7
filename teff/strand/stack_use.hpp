// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of calls that need stack, for the messages of stack_exhausted. Apart from stack.hpp, which the reference of
// the interface describes.
#pragma once

namespace teff {

// The name of such calls, how a program needs less, and whether they continue on further stacks (more_stack.hpp).
struct stack_use {
    const char* calls;
    const char* advice;
    bool goes_on;
};
inline constexpr stack_use forks_use{"fork_join", "fork to a smaller depth, and call a serial function there", true};
inline constexpr stack_use teams_use{"execute, isolate or arena::execute", "make one such call around the recursion",
                                     false};
inline constexpr stack_use reductions_use{"reduce_tasks", "enqueue tasks of one reduction in place of nested ones",
                                          false};
inline constexpr stack_use fibers_use{"functions that start fibers", "start the fibers from other fibers", false};
// For calls that queue tasks: no further stack is available; or too little stack is left to enter one.
inline constexpr stack_use tasks_use{"tasks that wait for their own tasks",
                                     "hand all tasks to one group, and wait once, outside of them", true};
inline constexpr stack_use queueing_use{"functions that hand over tasks", "hand them over at a smaller depth of calls",
                                        false};

}  // namespace teff
