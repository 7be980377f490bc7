// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The memory management routines (OpenMP 5.1, section 3.13), in C and where Fortran has names of its own, and those of
// Intel's and LLVM's runtimes. A block knows its allocator, so omp_free() needs no allocator argument.
#include <teff/frontends/openmp/core/data/allocator.hpp>

#include <algorithm>
#include <cstdint>

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

// The functions of Intel's and LLVM's runtimes. Unlike the standard ones they return a block also for a size of 0.
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

// The handles of the predefined allocators and memory spaces as data. In C and C++ they are enumerators with these
// values (section 2.13.2); objects of other compilers may refer to the data.
extern "C" {

extern const std::uintptr_t omp_null_allocator = 0;
extern const std::uintptr_t omp_default_mem_alloc = 1;
extern const std::uintptr_t omp_large_cap_mem_alloc = 2;
extern const std::uintptr_t omp_const_mem_alloc = 3;
extern const std::uintptr_t omp_high_bw_mem_alloc = 4;
extern const std::uintptr_t omp_low_lat_mem_alloc = 5;
extern const std::uintptr_t omp_cgroup_mem_alloc = 6;
extern const std::uintptr_t omp_pteam_mem_alloc = 7;
extern const std::uintptr_t omp_thread_mem_alloc = 8;

extern const std::uintptr_t omp_default_mem_space = 0;
extern const std::uintptr_t omp_large_cap_mem_space = 1;
extern const std::uintptr_t omp_const_mem_space = 2;
extern const std::uintptr_t omp_high_bw_mem_space = 3;
extern const std::uintptr_t omp_low_lat_mem_space = 4;
}
