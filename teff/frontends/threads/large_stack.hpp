// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that need more stack than the calling fiber or thread has left. They run on a larger stack from the pool of
// fibers' stacks (fiber/fiber_stack.hpp). Such a call stays a part of the calling strand: only the bounds of the
// strand's stack change meanwhile. So the function may fork, and on a fiber it may wait as the fiber may.
//
// Apart from stack_overflow.hpp, since the public header with_stack.hpp includes it and needs no fiber.
#pragma once

#include <cstddef>

namespace teff::threads {

// Calls `what(argument)` with at least `bytes` of stack, and throws what it throws. Throws std::bad_alloc, with nothing
// called, if there is no memory for the stack. Any thread.
void call_with_stack(std::size_t bytes, void (*what)(void* argument), void* argument);

}  // namespace teff::threads
