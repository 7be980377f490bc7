// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A fiber that has used up its stack is named on stderr before the process ends: its number, its name if it has one,
// the size of its stack, and the option that sets it. A call on a larger stack (large_stack.hpp) has the size of that.
//
// With a guard below the stack (fiber/stack_guard.hpp) the fiber runs into a segmentation fault, which the watch finds
// to be in the guard of the fiber that runs; then the process goes on as it would have without the watch
// (fiber/fault_watch.hpp). A function with a frame larger than the guard may step over it. Without a guard a changed
// canary says so when the fiber is left, and the process aborts.
//
// The sanitizers find faults themselves, so that there is no watch in programs that were built with them.
#pragma once

#include <teff/base/sanitizers.hpp>
#include <teff/fiber/fiber_stack.hpp>
#include <teff/runtime/strand.hpp>

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

// Writes the message. For signal handlers, too. of: the fiber that ran; nullptr: a thread that is no fiber.
void tell_of_overflow(const fiber_state* of, const stack_bounds& used_up) noexcept;

// After code on this stack was left. Ends the process with the message if the code has written over the canary.
inline void expect_intact(const fiber_stack& used, const fiber_state* of, const stack_bounds& bounds) noexcept {
    if (!is_intact(used)) [[unlikely]] {
        tell_of_overflow(of, bounds);
        std::abort();
    }
}

}  // namespace teff::threads
