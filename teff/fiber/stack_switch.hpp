// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The switch from one stack to another, which fiber_context.hpp is made of.
//
// On x86-64 it is our own. It returns by the processor's `ret`, and has one caller (fiber_context::jump_to()), so that
// the processor predicts where the code that is entered goes on. And it compares the control words of the
// floating-point units before it loads them, since they rarely differ and to load them is slow. On other processors it
// is Boost.Context's (make_fcontext, jump_fcontext).
//
// A place where code was left is an address on its stack, below what the switch has saved: the registers that a call
// preserves, and the control words.
#pragma once

#include <teff/fiber/control_words.hpp>

#include <cstddef>

namespace teff {

// Leaves the calling code, stores where in `left_at`, and goes on at `enter_at`. The code that is entered there
// receives the message: its call of switch_stack() returns it. Returns when the code that was left is entered, perhaps
// on another thread.
void* switch_stack(void*& left_at, void* enter_at, void* message) noexcept;

// The place where a new stack, which ends at `end`, calls first(argument, message). That function does not return.
void* first_place(void* end, std::size_t size, const control_words& words, void (*first)(void* argument, void* message),
                  void* argument) noexcept;

}  // namespace teff
