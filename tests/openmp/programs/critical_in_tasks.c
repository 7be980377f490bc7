// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// critical sections in tasks, in loops and in regions inside regions: one name, one thread at a time, whatever region
// a thread is in. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 500 };

static int total, inside;

static void enter(void) {
#pragma omp critical(total)
    {
        EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
        total++;
        __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task
        enter();
#pragma omp task if (0)
        enter();
    }
    EXPECT_EQUAL(total, 2 * count);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < count; i++)
        enter();
    EXPECT_EQUAL(total, 3 * count);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    for (int i = 0; i < 20; i++)
#pragma omp parallel num_threads(2)
        enter();
    EXPECT_EQUAL(total, 3 * count + 2 * 20 * 2);
    return expectations_failed;
}
