// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory management routines (OpenMP 5.1, section 3.13), in C and where Fortran has names of its own. A block knows
// its allocator, so that the argument of omp_free() is not needed.
#include <teff/frontends/openmp/core/data/allocator.hpp>

#include <algorithm>

using namespace teff::openmp;

extern "C" {

void* omp_alloc(std::size_t size, allocator_handle from) { return allocate_block(from, 1, size, false); }
void* omp_aligned_alloc(std::size_t alignment, std::size_t size, allocator_handle from) {
    return allocate_block(from, alignment, size, false);
}
void* omp_calloc(std::size_t count, std::size_t size, allocator_handle from) {
    return allocate_elements(from, 1, count, size);
}
void* omp_aligned_calloc(std::size_t alignment, std::size_t count, std::size_t size, allocator_handle from) {
    return allocate_elements(from, alignment, count, size);
}
void* omp_realloc(void* block, std::size_t size, allocator_handle to, allocator_handle /*from*/) {
    return resize_block(block, size, to);
}
void omp_free(void* block, allocator_handle /*from*/) { free_block(block); }

allocator_handle omp_init_allocator(std::uintptr_t memory_space, int count, const allocator_trait* traits) {
    return make_allocator(memory_space, count, traits);
}
void omp_destroy_allocator(allocator_handle destroyed) { destroy_allocator(destroyed); }
void omp_set_default_allocator(allocator_handle chosen) { set_default_allocator_of_task(chosen); }
allocator_handle omp_get_default_allocator() { return default_allocator_of_task(); }

allocator_handle omp_init_allocator_(const std::uintptr_t* memory_space, const std::int32_t* count,
                                     const allocator_trait* traits) {
    return make_allocator(*memory_space, *count, traits);
}
allocator_handle omp_init_allocator_8_(const std::uintptr_t* memory_space, const std::int64_t* count,
                                       const allocator_trait* traits) {
    return make_allocator(*memory_space, static_cast<int>(*count), traits);
}
void omp_destroy_allocator_(const allocator_handle* destroyed) { destroy_allocator(*destroyed); }
void omp_set_default_allocator_(const allocator_handle* chosen) { set_default_allocator_of_task(*chosen); }
[[gnu::alias("omp_get_default_allocator")]] allocator_handle omp_get_default_allocator_();

// The functions of Intel's and LLVM's runtimes. Unlike the standard ones they give memory for a size of 0.
void* kmp_malloc(std::size_t size) {
    return allocate_block(default_allocator, 1, std::max(size, std::size_t{1}), false);
}
void* kmp_aligned_malloc(std::size_t size, std::size_t alignment) {
    return allocate_block(default_allocator, alignment, std::max(size, std::size_t{1}), false);
}
void* kmp_calloc(std::size_t count, std::size_t size) {
    return count == 0 || size == 0 ? kmp_malloc(0) : allocate_elements(default_allocator, 1, count, size);
}
void* kmp_realloc(void* block, std::size_t size) { return resize_block(block, size, default_allocator); }
void kmp_free(void* block) { free_block(block); }

[[gnu::alias("kmp_malloc")]] void* kmpc_malloc(std::size_t size);
[[gnu::alias("kmp_aligned_malloc")]] void* kmpc_aligned_malloc(std::size_t size, std::size_t alignment);
[[gnu::alias("kmp_calloc")]] void* kmpc_calloc(std::size_t count, std::size_t size);
[[gnu::alias("kmp_realloc")]] void* kmpc_realloc(void* block, std::size_t size);
[[gnu::alias("kmp_free")]] void kmpc_free(void* block);

void* kmp_malloc_(const std::size_t* size) { return kmp_malloc(*size); }
void* kmp_aligned_malloc_(const std::size_t* size, const std::size_t* alignment) {
    return kmp_aligned_malloc(*size, *alignment);
}
void* kmp_calloc_(const std::size_t* count, const std::size_t* size) { return kmp_calloc(*count, *size); }
void* kmp_realloc_(void** block, const std::size_t* size) { return kmp_realloc(*block, *size); }
void kmp_free_(void** block) { kmp_free(*block); }
}
