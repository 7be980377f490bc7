// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of two threads inside of each other, 64 levels deep. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { deepest = 64 };
static int entered[deepest + 1];

static void descend(int level) {
    if (level > deepest)
        return;
#pragma omp parallel num_threads(2)
    {
        EXPECT_EQUAL(omp_get_level(), level);
        EXPECT_EQUAL(omp_get_active_level(), level);
        EXPECT_EQUAL(omp_get_team_size(level), 2);
        EXPECT_EQUAL(omp_get_ancestor_thread_num(level), omp_get_thread_num());
        EXPECT_EQUAL(omp_get_ancestor_thread_num(0), 0);
#pragma omp atomic
        entered[level]++;
        // One thread of each level goes deeper, now the first, now the second.
        if (omp_get_thread_num() == level % 2)
            descend(level + 1);
#pragma omp barrier
    }
}

int main(void) {
    omp_set_max_active_levels(deepest);
    for (int round = 0; round < 3; round++) {
        descend(1);
        for (int level = 1; level <= deepest; level++)
            EXPECT_EQUAL(entered[level], 2 * (round + 1));
    }
    return expectations_failed;
}
