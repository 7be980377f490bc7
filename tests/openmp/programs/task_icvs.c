// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Control variables belong to tasks: what a task sets holds for it and its descendants, not for its maker.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void set_and_check(int number) {
    omp_set_num_threads(number);
    omp_set_schedule(omp_sched_dynamic, number);
#pragma omp taskyield
    EXPECT_EQUAL(omp_get_max_threads(), number);
#pragma omp task
    {
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        EXPECT_EQUAL(omp_get_max_threads(), number);
        EXPECT_EQUAL(chunk, number);
        omp_set_num_threads(100);
    }
#pragma omp taskwait
    EXPECT_EQUAL(omp_get_max_threads(), number);
}

int main(void) {
    const int before = omp_get_max_threads();
#pragma omp parallel
    {
        omp_set_num_threads(omp_get_thread_num() + 20);
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task
            set_and_check(i + 1);
#pragma omp task if (0)
            set_and_check(i + 5);
        }
        EXPECT_EQUAL(omp_get_max_threads(), omp_get_thread_num() + 20);
    }
    EXPECT_EQUAL(omp_get_max_threads(), before);
    // The next region starts with the variables of the sequential part.
#pragma omp parallel
    EXPECT_EQUAL(omp_get_max_threads(), before);
    return expectations_failed;
}
