// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks of fibers: mapped memory with a guard below it, kept for reuse when a fiber has ended.
//
//   |  guard  |  lowest ..................... lowest + size  |
//             the stack grows down from its end to the guard
//
//   take, give_back    any thread
// A page of a stack takes memory from its first use on, so a large stack costs address space only. A fiber that runs
// into the guard ends the process with a segmentation fault. On Linux 6.13 or later the guard is a mark in the page
// table (MADV_GUARD_INSTALL). On older kernels it is a mapping of its own, so that a stack takes two of the about
// 65'000 mappings that a process can have (vm.max_map_count).
//
// Up to most_kept_fiber_stacks free stacks are kept, with the memory that they have touched; further ones are unmapped.
#pragma once

#include <cstddef>

namespace teff {

struct fiber_stack {
    void* lowest = nullptr;  // nullptr: there is none
    std::size_t size = 0;    // bytes
};

inline constexpr std::size_t most_kept_fiber_stacks = 256;

// A stack of at least `size` bytes; without one (lowest is nullptr) if there is no memory.
fiber_stack take_fiber_stack(std::size_t size) noexcept;
// The fiber has ended.
void give_back_fiber_stack(const fiber_stack& ended) noexcept;

}  // namespace teff
