// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for variables with an allocate clause. The program has no code for a variable without memory.
#include <teff/frontends/openmp/core/allocator.hpp>

#include <teff/base/assert.hpp>

using namespace teff::openmp;

extern "C" {

void* GOMP_alloc(std::size_t alignment, std::size_t size, allocator_handle from) {
    void* const memory = allocate_block(from, alignment, size, false);
    TEFF_CHECK(memory != nullptr || size == 0, "OpenMP", "no memory for a variable with an allocate clause",
               "give its allocator a larger pool, or a fallback that has memory");
    return memory;
}
void GOMP_free(void* block, allocator_handle /*from*/) { free_block(block); }
}
