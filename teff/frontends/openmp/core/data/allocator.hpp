// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory allocators with traits (OpenMP 5.1, sections 2.13 and 3.13).
//
//   handle      1 to 8: a predefined allocator; otherwise the address of an allocator that make_allocator() made
//   block       padding for the alignment | header | the user's memory. The header lies directly below that memory, and
//               has the block's allocator and the address at which the block begins
//
// The predefined allocators all give the same memory. A pool counts the bytes that users asked for and those of the
// headers, as the pools of LLVM's and GCC's runtimes do. An allocator lives until it is destroyed and its last block is
// freed, since a freed block is returned to its pool.
//
// The allocator's fallback trait decides about a failed request; if the fallback fails, too, the result is nullptr. Any
// thread may call any function, and free blocks of other threads.
#pragma once

#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <cstddef>
#include <cstdint>

namespace teff::openmp {

inline constexpr allocator_handle default_allocator = 1;
inline constexpr allocator_handle last_predefined_allocator = 8;
// The bytes that each block takes from its pool in addition to those asked for.
inline constexpr std::size_t pool_overhead = 32;

// Returns null_allocator, after a warning, if a trait is wrong or the machine lacks the memory space; also without
// memory.
[[nodiscard]] allocator_handle make_allocator(std::uintptr_t memory_space, int count,
                                              const allocator_trait* traits) noexcept;
// Does nothing for predefined allocators.
void destroy_allocator(allocator_handle destroyed) noexcept;

// At least `size` bytes with the greater alignment of the argument (a power of two) and the trait; nullptr if the size
// is 0. null_allocator means the running task's default allocator.
[[nodiscard]] void* allocate_block(allocator_handle from, std::size_t alignment, std::size_t size,
                                   bool is_zeroed) noexcept;
// The same for memory that the compiler's code uses without a check: a failed request ends the program with a message.
[[nodiscard]] void* allocate_variable(allocator_handle from, std::size_t alignment, std::size_t size) noexcept;
// As allocate_block() for `count` elements, zeroed. If the product overflows, the request fails.
[[nodiscard]] void* allocate_elements(allocator_handle from, std::size_t alignment, std::size_t count,
                                      std::size_t size) noexcept;
// Moves a block to `size` bytes of `to`; null_allocator means the block's allocator. As allocate_block() if the block
// is nullptr, and as free_block() if the size is 0. If the request fails, the old block is unchanged.
[[nodiscard]] void* resize_block(void* block, std::size_t size, allocator_handle to) noexcept;
// Does nothing for nullptr. Ends the program with a message if the memory is not a block.
void free_block(void* block) noexcept;

// The def-allocator-var of the running task.
allocator_handle default_allocator_of_task() noexcept;
void set_default_allocator_of_task(allocator_handle chosen) noexcept;

}  // namespace teff::openmp
