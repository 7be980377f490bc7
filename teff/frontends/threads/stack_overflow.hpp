// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The message about a fiber that has used up its stack. Before the process ends, stderr gets the fiber's number, its
// name if it has one, the size of its stack, and the option that sets this size. For a call on a larger stack
// (large_stack.hpp) the size is that of the larger stack.
//
// If there is a guard below the stack (fiber/stack_guard.hpp), the fiber causes a segmentation fault. The handler finds
// that the address is in the running fiber's guard and writes the message; then the fault is handled as without it
// (fiber/stack_guard.hpp). A function with a frame larger than the guard may step over the guard. If there is no guard,
// a changed canary shows the overflow when the fiber is left, and the process aborts.
//
// The sanitizers report faults themselves, so programs that are built with them get no handler.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/strand/strand.hpp>

#include <cstdlib>

namespace teff::threads {

class fiber_state;

// Whether the calling thread can handle a fault of a fiber.
extern constinit thread_local bool watches_for_overflow [[gnu::tls_model("initial-exec")]];
void begin_watch_for_overflow() noexcept;

// Called by a thread before it enters a fiber.
inline void watch_for_overflow() noexcept {
    if (!watches_for_overflow && !sanitizers::is_program_instrumented()) [[unlikely]]
        begin_watch_for_overflow();
}

// Writes the message. Async-signal-safe. fiber: the fiber that ran; nullptr: a thread on its own ran.
void tell_of_overflow(const fiber_state* fiber, const stack_bounds& used_up) noexcept;

// Called after a switch away from this stack. Ends the process with the message if the canary was overwritten.
inline void require_intact(const fiber_stack& used, const fiber_state* fiber, const stack_bounds& bounds) noexcept {
    if (!is_intact(used)) [[unlikely]] {
        tell_of_overflow(fiber, bounds);
        std::abort();
    }
}

}  // namespace teff::threads
