// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked to suites with recursions that end only when the stack is used up: one further stack instead of 32.
#include <cstdlib>

namespace {

// Before the initialisation of any other source, since that may read the variable.
[[gnu::constructor(101)]] void allow_little_more_stack() { ::setenv("TEFF_MORE_STACK_MIB", "8", 0); }

}  // namespace
