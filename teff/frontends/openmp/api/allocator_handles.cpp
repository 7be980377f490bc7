// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handles of the predefined allocators and memory spaces as data. For C and C++ they are enumerators, with the
// values that OpenMP 5.1 gives them (section 2.13.2); objects of other compilers may refer to the data.
#include <cstdint>

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
