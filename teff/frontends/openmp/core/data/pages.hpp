// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whole pages for memory allocators that ask for a place: pinned pages, and pages on certain NUMA nodes (the partition
// trait, OpenMP 5.1, section 2.13.2). Which thread touches a page first decides nothing here.
//
//   nearest       on the node of the calling thread
//   blocked       one block of about the same size on each node that the process may use
//   interleaved   page by page on these nodes
//
// Where the kernel has no NUMA or refuses, the pages lie where it puts them. Pinned pages are refused instead: nullptr,
// if the limit for locked memory does not allow them. Any thread may call any function.
#pragma once

#include <teff/frontends/openmp/core/environment/allocator_traits.hpp>

#include <cstddef>

namespace teff::openmp {

// Zeroed memory on whole pages; nullptr if there is none.
[[nodiscard]] void* map_pages(std::size_t size, partition where, bool is_pinned) noexcept;
void unmap_pages(void* memory, std::size_t size) noexcept;

}  // namespace teff::openmp
