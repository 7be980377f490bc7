// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target region on the host begins an initial task, outside of all parallel regions. Compilers: gcc. (Clang's code
// calls the region itself, and the runtime knows nothing of it.)
#include "expect.h"
#include <omp.h>

int main(void) {
#pragma omp parallel num_threads(3)
    {
        const int me = omp_get_thread_num();
        int level = -1, inside = -1, number = -1, members = 0, deeper = -1;
#pragma omp target map(tofrom : level, inside, number, members, deeper)
        {
            level = omp_get_level();
            inside = omp_in_parallel();
            number = omp_get_thread_num();
#pragma omp parallel num_threads(2)
            {
#pragma omp atomic
                members++;
#pragma omp single
                deeper = omp_get_level();
            }
        }
        EXPECT_EQUAL(level, 0);
        EXPECT_EQUAL(inside, 0);
        EXPECT_EQUAL(number, 0);
        EXPECT_EQUAL(members, 2);
        EXPECT_EQUAL(deeper, 1);
        EXPECT_EQUAL(omp_get_level(), 1);
        EXPECT_EQUAL(omp_get_thread_num(), me);
    }
    return expectations_failed;
}
