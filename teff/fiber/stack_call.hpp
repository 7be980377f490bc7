// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A call on another stack. Unlike a fiber (fiber_context.hpp) the function belongs to the code that calls it, and
// returns to it. If a fiber makes the call, the fiber may be left inside of the function, and go on there on another
// thread.
#pragma once

#include <teff/fiber/fiber_stack.hpp>

namespace teff {

// The stack belongs to the caller.
void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept;

}  // namespace teff
