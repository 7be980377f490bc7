// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks for deep trees. A recursion into a tree tens of thousands of levels deep, and an OpenMP runtime that runs a
// child inside its parent's frame, need more stack than the eight megabytes of a usual shell. The size of the main
// thread's stack, and of those that a runtime's own threads get by default, is fixed when a program starts; so the
// runner starts itself once more. The pages are used only when they are touched: this costs address space, no memory
// and no time.
#pragma once

namespace bench {

// Returns when the stack limit is large, or as large as it may become; otherwise executes the program again with
// `arguments`.
void ensure_large_stacks(char** arguments);

}  // namespace bench
