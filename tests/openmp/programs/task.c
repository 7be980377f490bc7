// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task with firstprivate, shared and private data: each of many tasks runs once, before the region ends.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 5000 };
static int runs[count];

int main(void) {
    int all = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < count; i++) {
            int square = i * i;
#pragma omp task firstprivate(square) shared(all)
            {
                EXPECT_EQUAL(square, i * i);
                runs[i]++;
#pragma omp atomic
                all++;
            }
            square = -1;
        }
    }
    EXPECT_EQUAL(all, count);
    for (int i = 0; i < count; i++)
        EXPECT_EQUAL(runs[i], 1);

    // Tasks created by every thread of the team, waited for by an explicit barrier.
    int others = 0;
#pragma omp parallel shared(others)
    {
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(others)
#pragma omp atomic
            others++;
        }
#pragma omp barrier
        EXPECT_EQUAL(others, 100 * omp_get_num_threads());
    }
    return expectations_failed;
}
