// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many tasks that become ready at once, each of which opens a region of its own, of several sizes.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { tasks = 300, most = 3 };
static int present[tasks][most], runs[tasks], is_inside;
#pragma omp threadprivate(is_inside)

static void open_region(int number) {
    const int size = 1 + number % most;
#pragma omp parallel num_threads(size)
    {
        EXPECT_EQUAL(omp_get_num_threads(), size);
        __atomic_fetch_add(&present[number][omp_get_thread_num()], 1, __ATOMIC_RELAXED);
#pragma omp barrier
        for (int i = 0; i < size; i++)
            EXPECT_EQUAL(__atomic_load_n(&present[number][i], __ATOMIC_RELAXED), 1);
    }
    runs[number]++;
}

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : present)
        for (volatile int i = 0; i < 100000; i++) {
        }
        for (int t = 0; t < tasks; t++) {
#pragma omp task firstprivate(t) depend(in : present)
            {
                // To open a region is no point where the thread may begin another task.
                EXPECT_EQUAL(is_inside++, 0);
                open_region(t);
                is_inside--;
            }
        }
    }
    for (int t = 0; t < tasks; t++)
        EXPECT_EQUAL(runs[t], 1);
    return expectations_failed;
}
