// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Linked to suites with recursions that end only when the stack is used up: one further stack instead of 32. Under
// ThreadSanitizer there is none, since its own stack of calls is shorter than that.
#include <teff/base/atomic.hpp>

#include <cstdlib>

namespace {

// Before the initialisation of any other source, since that may read the variable.
[[gnu::constructor(101)]] void allow_little_more_stack() {
#if defined(TEFF_THREAD_SANITIZER)
    ::setenv("TEFF_MORE_STACK_MIB", "0", 0);
#else
    ::setenv("TEFF_MORE_STACK_MIB", "8", 0);
#endif
}

}  // namespace
