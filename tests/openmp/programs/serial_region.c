// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of one thread, by if(0) and by num_threads(1): every construct works in them. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void all_constructs(void) {
    int count = 0, last = -1;
    EXPECT_EQUAL(omp_get_num_threads(), 1);
    EXPECT_EQUAL(omp_get_thread_num(), 0);
#pragma omp barrier
#pragma omp single
    count++;
#pragma omp master
    count++;
#pragma omp critical
    count++;
#pragma omp for
    for (int i = 0; i < 10; i++)
        count++;
#pragma omp for schedule(dynamic, 3) ordered
    for (int i = 0; i < 10; i++)
#pragma omp ordered
    {
        EXPECT_EQUAL(i, last + 1);
        last = i;
    }
#pragma omp sections
    {
#pragma omp section
        count++;
#pragma omp section
        count++;
    }
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(count)
#pragma omp atomic
        count++;
    }
#pragma omp taskwait
    EXPECT_EQUAL(count, 115);
#pragma omp taskgroup
    {
#pragma omp task shared(count)
        count++;
    }
    EXPECT_EQUAL(count, 116);
#pragma omp flush
}

static void inside(void) {
    EXPECT_EQUAL(omp_get_level(), 1);
    EXPECT_EQUAL(omp_get_active_level(), 0);
    EXPECT_EQUAL(omp_get_team_size(1), 1);
    EXPECT(!omp_in_parallel());
    all_constructs();
}

int main(void) {
    const volatile int no = 0, one = 1;
    for (int round = 0; round < 20; round++) {
#pragma omp parallel if (no)
        inside();
#pragma omp parallel if (0)
        inside();
#pragma omp parallel num_threads(one)
        inside();
        // A region with many threads inside a region of one thread is active.
        int team = 0;
#pragma omp parallel if (no)
#pragma omp parallel num_threads(2)
        {
            EXPECT_EQUAL(omp_get_level(), 2);
            EXPECT_EQUAL(omp_get_active_level(), 1);
#pragma omp atomic
            team++;
        }
        EXPECT_EQUAL(team, 2);
        // A region of one thread inside an active one.
#pragma omp parallel num_threads(3)
#pragma omp parallel if (no)
        {
            EXPECT_EQUAL(omp_get_level(), 2);
            EXPECT_EQUAL(omp_get_active_level(), 1);
            EXPECT(omp_in_parallel());
            all_constructs();
        }
    }
    return expectations_failed;
}
