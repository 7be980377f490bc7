// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocators: the predefined ones, one with traits, the allocate clause. Memory has the alignment that was asked for,
// and a pool of limited size falls back as its traits say. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdint.h>
#include <string.h>

static int is_aligned(const void *memory, uintptr_t alignment) {
    return memory != NULL && (uintptr_t)memory % alignment == 0;
}

static void predefined(void) {
    const omp_allocator_handle_t handles[] = {
        omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_high_bw_mem_alloc,
        omp_low_lat_mem_alloc, omp_cgroup_mem_alloc,    omp_pteam_mem_alloc, omp_thread_mem_alloc,
        omp_null_allocator,
    };
    EXPECT_EQUAL(omp_get_default_allocator(), omp_default_mem_alloc);
    for (unsigned i = 0; i < sizeof handles / sizeof *handles; i++) {
        char *memory = omp_alloc(1000, handles[i]);
        EXPECT(memory != NULL);
        memset(memory, 7, 1000);
        memory = omp_realloc(memory, 5000, handles[i], handles[i]);
        EXPECT(memory != NULL);
        EXPECT(memory[0] == 7 && memory[999] == 7);
        omp_free(memory, handles[i]);
        char *zeros = omp_calloc(10, 30, handles[i]);
        for (int j = 0; j < 300; j++)
            EXPECT_EQUAL(zeros[j], 0);
        omp_free(zeros, omp_null_allocator);
        void *aligned = omp_aligned_alloc(256, 512, handles[i]);
        EXPECT(is_aligned(aligned, 256));
        omp_free(aligned, handles[i]);
    }
    omp_free(NULL, omp_null_allocator);
    omp_set_default_allocator(omp_large_cap_mem_alloc);
    EXPECT_EQUAL(omp_get_default_allocator(), omp_large_cap_mem_alloc);
    omp_set_default_allocator(omp_default_mem_alloc);
}

static void with_traits(void) {
    omp_alloctrait_t traits[] = {
        {omp_atk_alignment, 128}, {omp_atk_pool_size, 4096}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 3, traits);
    EXPECT(made != omp_null_allocator);
    void *first = omp_alloc(1000, made);
    EXPECT(is_aligned(first, 128));
    EXPECT(omp_alloc(1 << 20, made) == NULL);
    omp_free(first, made);
    // What was given back can be taken again.
    for (int i = 0; i < 100; i++) {
        void *again = omp_alloc(2000, made);
        EXPECT(is_aligned(again, 128));
        omp_free(again, made);
    }
    omp_destroy_allocator(made);
}

static void by_threads(void) {
    int sum = 0;
    const int team = omp_get_max_threads();
#pragma omp parallel reduction(+ : sum)
    for (int i = 1; i < 200; i++) {
        unsigned char *memory = omp_alloc(i * 16, omp_default_mem_alloc);
        memset(memory, i, i * 16);
        sum += memory[i * 16 - 1] == i;
        omp_free(memory, omp_default_mem_alloc);
    }
    EXPECT_EQUAL(sum, 199 * team);
    int table[100] = {1};
#pragma omp parallel firstprivate(table) allocate(omp_default_mem_alloc : table)
    {
        table[0] += omp_get_thread_num();
#pragma omp barrier
        EXPECT_EQUAL(table[0], 1 + omp_get_thread_num());
    }
    EXPECT_EQUAL(table[0], 1);
}

int main(void) {
    predefined();
    with_traits();
    by_threads();
    return expectations_failed;
}
