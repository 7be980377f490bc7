// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: mapped memory with a guard below it (stack_guard.hpp), kept for reuse when a fiber has ended.
//
//   |  guard  |  lowest ..................... lowest + size  |
//             the stack grows down from its end to the guard
//
//   take, give_back, find_fiber_stack    any thread
// A page of a stack takes memory only after its first use, so the unused part of a large stack costs address space
// alone. Stacks lie in slabs (stack_slab.hpp). A stack has one of about seventy sizes, four for each power of two.
//
// For each size, up to most_kept_fiber_stacks free stacks keep the memory that they have touched; fewer if together
// they might hold more than 64 MiB. The memory of further free stacks goes back to the system at once (MADV_DONTNEED;
// with MADV_FREE it would be counted as the process's until the system needs it), and a slab is unmapped when all its
// stacks are free and none is kept. So after a million fibers have ended, at most the slabs of the kept stacks remain,
// mostly empty.
#pragma once

#include <teff/fiber/stack_slab.hpp>

#include <cstddef>

namespace teff {

inline constexpr std::size_t most_kept_fiber_stacks = 256;

// Returns a stack of at least `size` bytes; its `lowest` is nullptr if there is no memory.
fiber_stack take_fiber_stack(std::size_t size) noexcept;
// Call after the fiber has ended.
void give_back_fiber_stack(const fiber_stack& ended) noexcept;

// Calls visit(stack, argument) for each stack, used or free, until it returns true; returns whether it did. Under a
// mutex, so visit() must not call any of these functions. In the child of a fork() all records are zero.
bool find_fiber_stack(bool (*visit)(const fiber_stack& each, void* argument) noexcept, void* argument) noexcept;

// False: the fiber has written below the lowest byte of the stack. Always true if the stack's guard is not a canary.
inline bool is_intact(const fiber_stack& used) noexcept {
    return used.guard != stack_guard::canary || canary_is_intact(used.lowest);
}

// Calls a function on another stack. Unlike the code of a fiber (fiber_context.hpp), the function is a part of the
// calling code and returns to it. If a fiber makes the call, it may be suspended inside the function and resumed on
// another thread.

// Runs what(argument) on `stack`, which stays the caller's.
void call_on_stack(const fiber_stack& stack, void (*what)(void* argument) noexcept, void* argument) noexcept;

}  // namespace teff
