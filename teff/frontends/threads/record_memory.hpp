// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory for the records of fibers: each thread keeps a few free blocks of one size in front of the allocator, so that
// most fibers are made and freed without a call of it. Larger records, and programs with a sanitizer, which is to see
// each block freed, use the allocator.
//
// Both functions act on the calling thread. A block need not be given back by the thread that took it.
#pragma once

#include <cstddef>

namespace teff::threads {

// Throws std::bad_alloc.
void* take_record_memory(std::size_t size);
// With the size that it was taken with.
void give_back_record_memory(void* ended, std::size_t size) noexcept;

}  // namespace teff::threads
