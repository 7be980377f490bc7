// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the records of fibers. Each thread keeps a few free blocks of one size, so most fibers are made and freed
// without a call of the allocator. Larger records always use the allocator. So do programs with a sanitizer, which must
// see each block freed.
//
// Both functions act on the calling thread. A block need not be given back by the thread that took it.
#pragma once

#include <cstddef>

namespace teff::threads {

// Throws std::bad_alloc.
void* take_record_memory(std::size_t size);
// size: as in take_record_memory().
void give_back_record_memory(void* ended, std::size_t size) noexcept;

}  // namespace teff::threads
