// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_pause_resource and omp_pause_resource_all: outside of regions they succeed, and the next region is as before,
// with its control variables; inside of a region they are refused. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void region(int size) {
    int sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
    EXPECT_EQUAL(sum, size * (size + 1) / 2);
}

int main(void) {
    const omp_pause_resource_t kinds[] = {omp_pause_soft, omp_pause_hard};
    omp_set_num_threads(3);
    omp_set_schedule(omp_sched_guided, 7);
    for (int round = 0; round < 200; round++) {
        region(1 + round % 5);
        EXPECT_EQUAL(omp_pause_resource_all(kinds[round % 2]), 0);
        if (round % 3 == 0)
            EXPECT_EQUAL(omp_pause_resource(kinds[round % 2], omp_get_initial_device()), 0);
        if (round % 5 == 0)
            EXPECT_EQUAL(omp_pause_resource_all(kinds[round % 2]), 0);
        region(2);
        EXPECT_EQUAL(omp_get_max_threads(), 3);
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        EXPECT_EQUAL(kind, omp_sched_guided);
        EXPECT_EQUAL(chunk, 7);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    EXPECT(omp_pause_resource_all(omp_pause_hard) != 0);
    EXPECT(omp_pause_resource(omp_pause_hard, omp_get_initial_device() + 1000) != 0);
    region(2);
    return expectations_failed;
}
