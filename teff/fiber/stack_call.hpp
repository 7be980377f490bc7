// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function on another stack. Unlike the code of a fiber (fiber_context.hpp), the function is a part of the
// calling code and returns to it. If a fiber makes the call, it may be suspended inside the function and resumed on
// another thread.
#pragma once

#include <teff/fiber/fiber_stack.hpp>

namespace teff {

// Runs what(argument) on `stack`, which stays the caller's.
void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept;

}  // namespace teff
