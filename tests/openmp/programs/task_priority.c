// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task priority: the numbers that max-task-priority-var allows, and every task runs. With dependences the order
// of these comes first. programs.txt sets OMP_MAX_TASK_PRIORITY=20. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 200 };

static int runs[count];

int main(void) {
    EXPECT_EQUAL(omp_get_max_task_priority(), 20);
    // A number beyond the largest counts as the largest.
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task priority(i % 30)
        runs[i]++;
    }
    for (int i = 0; i < count; i++)
        EXPECT_EQUAL(runs[i], 1);

    int total = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop priority(5) grainsize(1) shared(total)
    for (int i = 0; i < count; i++) {
#pragma omp atomic
        total++;
    }
    EXPECT_EQUAL(total, count);

    int value = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(inout : value) priority(i % 20) shared(value)
        {
            EXPECT_EQUAL(value, i);
            value++;
        }
    }
    EXPECT_EQUAL(value, 100);
    return expectations_failed;
}
