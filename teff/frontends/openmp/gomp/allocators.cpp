// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GCC's calls for variables with an allocate clause. The program has no code for a variable without memory.
#include <teff/frontends/openmp/core/data/allocator.hpp>

using namespace teff::openmp;

extern "C" {

void* GOMP_alloc(std::size_t alignment, std::size_t size, allocator_handle from) {
    return allocate_variable(from, alignment, size);
}
void GOMP_free(void* block, allocator_handle /*from*/) { free_block(block); }
}
