// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tells how much stack the calling thread has left, and refuses to work on too little.
//
//   low          limit              middle              high
//   |  reserve   |  forks may be made here               |
//
// The reserve is kept free for the functions that forks call, for the runtime, and for the unwinder. It is an eighth of
// the stack, but neither less than the runtime needs nor more than 256 KiB. Of the runtime the start of the workers
// needs most: reading the machine's topology and limits took 28 KiB (GCC 12, -O2, x86-64). Throwing an exception took
// 5 KiB the first time and 2 KiB later. So the least reserve is 32 KiB. Without optimisation variables share no space,
// and the start took 73 KiB; there the least reserve is four times as large.
// A stack of less than two such reserves is refused as a whole: it has no place for a fork.
// In a program with a sanitizer functions have larger frames, so both numbers are eight times those of an optimised
// build.
//
// All functions act on the calling thread and on the strand that it runs.
#pragma once

#include <teff/base/request_mark.hpp>
#include <teff/strand/running_strand.hpp>
#include <teff/strand/stack_use.hpp>
#include <teff/strand/strand.hpp>

#include <cstddef>
#include <stdexcept>

namespace teff {

// Thrown when the stack of the calling thread is too small for the runtime, or when calls that wait inside each other
// have used it up and have also used up the stacks on which they go on (more_stack.hpp). The message names the call,
// says how large the stack is, and how to get more.
class stack_exhausted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The size in bytes of the smallest stack that the runtime works on.
std::size_t least_stack() noexcept;

// The bounds of a stack that is not the thread's own.
stack_bounds bounds_of(const void* lowest, std::size_t size) noexcept;
// The bounds of the stack. They are measured at the first call on a thread, or at a later one if there was no memory
// for that; all are 0 if the system does not tell them.
const stack_bounds& measured_stack() noexcept;

// Call before anything that needs stack of the caller's: throws stack_exhausted if the stack is too small, or used up
// to its reserve.
void require_stack(const stack_use& by);
// The same check without an exception. False: require_stack() would throw.
inline bool has_stack() noexcept {
    const stack_bounds* const known = running_strand().stack;
    return !(known != nullptr ? *known : measured_stack()).is_below_limit(stack_pointer());
}
// Throws stack_exhausted, however much stack is left.
[[noreturn]] void throw_stack_exhausted(const stack_use& by);

// For a call of the runtime that needs little: throws stack_exhausted if only a few KiB are left. So it works on stacks
// of any size.
void require_little_stack(const stack_use& by);
// The same for a call that continues on a further stack at once.
void require_stack_to_leave(const stack_use& by);
// The same for a call that queues a task, which may have to take memory from the system.
void require_stack_to_queue(const stack_use& by);
// The same check without an exception. False: require_stack_to_queue() would throw.
bool has_stack_to_queue() noexcept;
// Whether the stack is large enough for the runtime, however much of it is used.
bool is_stack_large_enough() noexcept;

}  // namespace teff
