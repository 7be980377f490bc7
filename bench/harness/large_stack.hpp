// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large stacks for deep trees. Two things need more stack than the usual shell limit of eight megabytes: a recursion
// into a tree that is tens of thousands of levels deep, and an OpenMP runtime that runs a child on top of its
// parent's frame. The stack size of the main thread, and the default stack size of a runtime's own threads, are fixed
// when a program starts. So the runner executes itself once more with larger limits. Stack pages are allocated only
// when they are touched, so this costs address space, but no memory and no time.
#pragma once

namespace bench {

// Returns if this process was already restarted or its stack limit cannot be raised; otherwise executes the program
// again with `arguments`.
void ensure_large_stacks(char** arguments);

}  // namespace bench
