// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OMP_THREAD_LIMIT holds for all threads of nested regions together. programs.txt sets it to 6. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

static int running, most;

static void count(void) {
    int now, before;
#pragma omp atomic capture
    now = ++running;
#pragma omp critical
    most = now > most ? now : most;
    for (int i = 0; i < 100; i++)
        sched_yield();
#pragma omp atomic capture
    before = running--;
    EXPECT(before > 0);
}

static void nested(int first, int second, int third) {
#pragma omp parallel num_threads(first)
#pragma omp parallel num_threads(second)
#pragma omp parallel num_threads(third)
    count();
}

int main(void) {
    EXPECT_EQUAL(omp_get_thread_limit(), 6);
    omp_set_dynamic(0);
    omp_set_max_active_levels(3);
    for (int size = 1; size < 10; size++)
#pragma omp parallel num_threads(size)
        EXPECT(omp_get_num_threads() <= 6);
#pragma omp parallel num_threads(6)
    EXPECT_EQUAL(omp_get_num_threads(), 6);
    for (int round = 0; round < 5; round++) {
        nested(5, 5, 2);
        nested(2, 2, 2);
        nested(1, 2, 20);
        nested(3, 2, 1);
    }
    EXPECT(most <= 6);
    EXPECT_EQUAL(running, 0);
    return expectations_failed;
}
