// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole pages for memory allocators that ask for a place: pinned pages, and pages on certain NUMA nodes (the partition
// trait, OpenMP 5.1, section 2.13.2). The thread that first touches a page does not decide about its node.
//
//   nearest       on the node of the calling thread
//   blocked       one block of about the same size on each node that the process may use
//   interleaved   page by page on these nodes
//
// If the kernel does not support NUMA or refuses, it chooses the nodes. But if the limit for locked memory does not
// allow pinned pages, the result is nullptr. Any thread may call any function.
#pragma once

#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <cstddef>

namespace teff::openmp {

// Zeroed memory on whole pages; nullptr if there is none.
[[nodiscard]] void* map_pages(std::size_t size, partition where, bool is_pinned) noexcept;
void unmap_pages(void* memory, std::size_t size) noexcept;

}  // namespace teff::openmp
