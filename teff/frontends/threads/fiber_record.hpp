// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a fiber gets when it is made: memory for its record, and a number that names it in messages.
//
// Each thread keeps a few free blocks of memory of one size, so most fibers are made and freed without a call of the
// allocator. Larger records always use the allocator. So do programs with a sanitizer, which must see each block freed.
// A block need not be given back by the thread that took it. Threads take numbers in blocks, too, so that they seldom
// write the shared counter.
//
// All functions act on the calling thread.
#pragma once

#include <cstddef>
#include <cstdint>

namespace teff::threads {

// Throws std::bad_alloc.
void* take_record_memory(std::size_t size);
// size: as in take_record_memory().
void give_back_record_memory(void* ended, std::size_t size) noexcept;

// Numbers begin with 1, and count up for the fibers that one thread starts.
std::uint64_t next_fiber_number() noexcept;

}  // namespace teff::threads
