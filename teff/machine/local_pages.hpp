// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pages for data that one thread uses most, on the NUMA node of that thread.
//
// Three things decide on which node a page lies: which thread touches it first, whether the allocator hands out a page
// that another thread has touched before, and what else lies on the page. So this memory does not come from malloc: it
// consists of whole pages that no thread has touched. They are never parts of huge pages, which could span the memory
// of two threads. map() and move_here() make the calling thread's node their preferred one by mbind, which also
// overrules a policy of the process. Where the kernel has no NUMA, or a filter of system calls refuses mbind, the first
// touch decides alone.
//
// All functions may be called by any thread. Neither map() nor move_here() touches the memory.
#pragma once

#include <cstddef>

namespace teff::local_pages {

// The bytes of a page, a power of two. Memory from map() has this alignment.
std::size_t page_size() noexcept;

// The number of the NUMA node on which the calling thread runs; 0 if it is not known. A thread that is not bound to a
// CPU may have moved on since.
unsigned current_node() noexcept;

// At least `bytes` bytes (above 0), zeroed, on whole pages on the calling thread's node; nullptr if there is no memory.
[[nodiscard]] void* map(std::size_t bytes) noexcept;
// Moves the pages of such memory to the calling thread's node. Other threads may use the memory meanwhile. Returns
// false if the system refuses; the memory is then usable where it is.
bool move_here(void* memory, std::size_t bytes) noexcept;
void unmap(void* memory, std::size_t bytes) noexcept;

}  // namespace teff::local_pages
