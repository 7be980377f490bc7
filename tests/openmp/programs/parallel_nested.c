// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions in regions: with two active levels each thread of the outer team leads a team of its own; beyond
// max-active-levels-var the inner regions have one thread. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { outer_size = 2, inner_size = 3 };

static void two_levels(void) {
    int runs[outer_size][inner_size] = {{0}};
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(outer_size)
    {
        const int outer = omp_get_thread_num();
        int led = 0;
#pragma omp parallel num_threads(inner_size) shared(led)
        {
            const int inner = omp_get_thread_num();
            EXPECT_EQUAL(omp_get_num_threads(), inner_size);
            EXPECT_EQUAL(omp_get_level(), 2);
            EXPECT_EQUAL(omp_get_active_level(), 2);
            EXPECT_EQUAL(omp_get_ancestor_thread_num(0), 0);
            EXPECT_EQUAL(omp_get_ancestor_thread_num(1), outer);
            EXPECT_EQUAL(omp_get_ancestor_thread_num(2), inner);
            EXPECT_EQUAL(omp_get_ancestor_thread_num(3), -1);
            EXPECT_EQUAL(omp_get_team_size(0), 1);
            EXPECT_EQUAL(omp_get_team_size(1), outer_size);
            EXPECT_EQUAL(omp_get_team_size(2), inner_size);
            EXPECT_EQUAL(omp_get_team_size(3), -1);
#pragma omp atomic
            runs[outer][inner]++;
#pragma omp barrier
#pragma omp single
            led++;
#pragma omp atomic
            led++;
            // A third level has one thread.
#pragma omp parallel num_threads(4)
            {
                EXPECT_EQUAL(omp_get_num_threads(), 1);
                EXPECT_EQUAL(omp_get_level(), 3);
                EXPECT_EQUAL(omp_get_active_level(), 2);
            }
        }
        EXPECT_EQUAL(led, 1 + inner_size);
        EXPECT_EQUAL(omp_get_thread_num(), outer);
        EXPECT_EQUAL(omp_get_level(), 1);
    }
    for (int i = 0; i < outer_size; i++)
        for (int j = 0; j < inner_size; j++)
            EXPECT_EQUAL(runs[i][j], 1);
}

static void one_level(void) {
    omp_set_max_active_levels(1);
    int inner = 0;
#pragma omp parallel num_threads(outer_size)
#pragma omp parallel num_threads(inner_size)
    {
        EXPECT_EQUAL(omp_get_num_threads(), 1);
#pragma omp atomic
        inner++;
    }
    EXPECT_EQUAL(inner, outer_size);
}

static void no_level(void) {
    omp_set_max_active_levels(0);
#pragma omp parallel num_threads(outer_size)
    {
        EXPECT_EQUAL(omp_get_num_threads(), 1);
        EXPECT_EQUAL(omp_get_level(), 1);
        EXPECT_EQUAL(omp_get_active_level(), 0);
        EXPECT(!omp_in_parallel());
    }
}

// A recursion of regions: 2 to the power of 3 threads add up.
static void grow(int level, int *leaves) {
    if (level == 3) {
#pragma omp atomic
        ++*leaves;
        return;
    }
#pragma omp parallel num_threads(2)
    grow(level + 1, leaves);
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        two_levels();
        one_level();
        no_level();
    }
    int leaves = 0;
    omp_set_max_active_levels(3);
    grow(0, &leaves);
    EXPECT_EQUAL(leaves, 8);
    return expectations_failed;
}
