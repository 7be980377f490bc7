// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OMP_NUM_THREADS with a list: one number for each level of nested regions. programs.txt sets it to 3,2.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    int outer = 0, inner = 0, deepest = 0;
    EXPECT_EQUAL(omp_get_max_threads(), 3);
    EXPECT(omp_get_max_active_levels() > 1);
#pragma omp parallel
    {
        EXPECT_EQUAL(omp_get_num_threads(), 3);
        EXPECT_EQUAL(omp_get_max_threads(), 2);
#pragma omp atomic
        outer++;
#pragma omp parallel
        {
            EXPECT_EQUAL(omp_get_num_threads(), 2);
            EXPECT_EQUAL(omp_get_max_threads(), 2);
#pragma omp atomic
            inner++;
        }
        // The clause goes before the list.
#pragma omp parallel num_threads(1)
        {
            EXPECT_EQUAL(omp_get_num_threads(), 1);
#pragma omp atomic
            deepest++;
        }
    }
    EXPECT_EQUAL(outer, 3);
    EXPECT_EQUAL(inner, 6);
    EXPECT_EQUAL(deepest, 3);
    return expectations_failed;
}
