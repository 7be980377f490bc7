// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many loops and sections with nowait, one after another, so that fast threads are far ahead of a slow one. Compilers:
// gcc, clang.
#include "expect.h"
#include <omp.h>

enum { loops = 300, length = 20 };

static void work(int amount) {
    for (volatile int i = 0; i < amount; i = i + 1) {
    }
}

static void check(int slow) {
    int dynamic_runs[loops] = {0}, guided_runs[loops] = {0}, section_runs[loops] = {0};
#pragma omp parallel
    for (int loop = 0; loop < loops; loop++) {
        if (loop % 50 == 0 && omp_get_thread_num() == slow)
            work(1000000);
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < length; i++)
            __atomic_fetch_add(&dynamic_runs[loop], 1 << (i % 4 * 8), __ATOMIC_RELAXED);
#pragma omp sections nowait
        {
#pragma omp section
            __atomic_fetch_add(&section_runs[loop], 1, __ATOMIC_RELAXED);
#pragma omp section
            __atomic_fetch_add(&section_runs[loop], 1000, __ATOMIC_RELAXED);
        }
#pragma omp for schedule(guided) nowait
        for (int i = 0; i < length; i++)
            __atomic_fetch_add(&guided_runs[loop], 1, __ATOMIC_RELAXED);
    }
    for (int loop = 0; loop < loops; loop++) {
        EXPECT_EQUAL(dynamic_runs[loop], length / 4 * 0x01010101);
        EXPECT_EQUAL(section_runs[loop], 1001);
        EXPECT_EQUAL(guided_runs[loop], length);
    }
}

int main(void) {
    check(0);
    check(1);
    // A second region of the same threads goes on where the first one has stopped.
    check(0);
    return expectations_failed;
}
