// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's calls for variables with an allocate directive or clause, and for depend objects, with the number of the
// thread. The program has no code for a variable without memory. The other ones of the family do the same as the
// routines of the specification.
#include <teff/frontends/openmp/core/data/allocator.hpp>

using namespace teff::openmp;

extern "C" {

void* __kmpc_alloc(int, std::size_t size, allocator_handle from) { return allocate_variable(from, 1, size); }
void* __kmpc_aligned_alloc(int, std::size_t alignment, std::size_t size, allocator_handle from) {
    return allocate_variable(from, alignment, size);
}
void* __kmpc_calloc(int, std::size_t count, std::size_t size, allocator_handle from) {
    return allocate_elements(from, 1, count, size);
}
void* __kmpc_realloc(int, void* block, std::size_t size, allocator_handle to, allocator_handle /*from*/) {
    return resize_block(block, size, to);
}
void __kmpc_free(int, void* block, allocator_handle /*from*/) { free_block(block); }

allocator_handle __kmpc_init_allocator(int, std::uintptr_t memory_space, int count, const allocator_trait* traits) {
    return make_allocator(memory_space, count, traits);
}
void __kmpc_destroy_allocator(int, allocator_handle destroyed) { destroy_allocator(destroyed); }
void __kmpc_set_default_allocator(int, allocator_handle chosen) { set_default_allocator_of_task(chosen); }
allocator_handle __kmpc_get_default_allocator(int) { return default_allocator_of_task(); }
}
