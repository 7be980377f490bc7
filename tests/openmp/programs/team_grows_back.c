// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops whose threads have shares, with and without a barrier, in regions of four threads and of two by turns: a thread
// that took no part in a region begins the next loops like the others. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { most_loops = 20, length = 100 };

static void loops_with_barriers(int threads, int loops) {
    int runs = 0;
#pragma omp parallel num_threads(threads)
    for (int loop = 0; loop < loops; loop++) {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < length; i++)
            __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
#pragma omp for schedule(guided)
        for (int i = 0; i < length; i++)
            __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    }
    EXPECT_EQUAL(runs, 2 * loops * length);
}

static void loop_without_barrier(int threads) {
    int runs = 0;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < length; i++)
            __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    }
    EXPECT(runs > length && runs <= length + threads);
}

int main(void) {
    for (int loops = 0; loops <= most_loops; loops++) {
        loop_without_barrier(4);
        loops_with_barriers(2, loops);
        loops_with_barriers(4, 1);
        loops_with_barriers(2, loops);
        for (int region = 0; region < most_loops; region++)
            loop_without_barrier(4);
    }
    return expectations_failed;
}
