// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sections and parallel sections: each section runs once, also with fewer sections than threads, and lastprivate takes
// the value of the last one. Compilers: gcc, clang.
#include "expect.h"

int main(void) {
    int runs[6] = {0}, last = 0;
#pragma omp parallel
    {
#pragma omp sections lastprivate(last)
        {
#pragma omp section
            last = __atomic_add_fetch(&runs[0], 1, __ATOMIC_RELAXED);
#pragma omp section
            last = __atomic_add_fetch(&runs[1], 1, __ATOMIC_RELAXED);
#pragma omp section
            last = __atomic_add_fetch(&runs[2], 7, __ATOMIC_RELAXED);
        }
#pragma omp sections
        {
            __atomic_fetch_add(&runs[3], 1, __ATOMIC_RELAXED);
        }
    }
    EXPECT_EQUAL(last, 7);
#pragma omp parallel sections
    {
#pragma omp section
        __atomic_fetch_add(&runs[4], 1, __ATOMIC_RELAXED);
#pragma omp section
        __atomic_fetch_add(&runs[5], 1, __ATOMIC_RELAXED);
    }
    for (int i = 0; i < 6; i++)
        EXPECT_EQUAL(runs[i], i == 2 ? 7 : 1);
    return expectations_failed;
}
