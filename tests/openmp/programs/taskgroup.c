// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskgroup waits for all tasks that were made inside, with their descendants, and for no others.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void descend(int depth, int *count) {
#pragma omp atomic
    ++*count;
    if (depth == 0)
        return;
    for (int i = 0; i < 3; i++) {
        // Nobody waits for them but the group.
#pragma omp task firstprivate(depth, count)
        descend(depth - 1, count);
    }
}

int main(void) {
    for (int round = 0; round < 20; round++) {
        int count = 0, outside = 0, inner = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task shared(outside)
#pragma omp atomic
            outside++;
#pragma omp taskgroup
            {
                descend(5, &count);
            }
            EXPECT_EQUAL(count, (729 - 1) / 2);
            // Groups in groups, and in tasks.
#pragma omp taskgroup
            for (int i = 0; i < 10; i++) {
#pragma omp task shared(inner)
                {
                    int own = 0;
#pragma omp taskgroup
                    {
                        descend(2, &own);
#pragma omp taskgroup
                        {
                        }
                    }
                    EXPECT_EQUAL(own, 13);
#pragma omp atomic
                    inner += own;
                }
            }
            EXPECT_EQUAL(inner, 130);
        }
        EXPECT_EQUAL(outside, 1);
        // Every thread has a group of its own.
#pragma omp parallel
        {
            int own = 0;
#pragma omp taskgroup
            descend(3, &own);
            EXPECT_EQUAL(own, 40);
        }
    }
    return expectations_failed;
}
