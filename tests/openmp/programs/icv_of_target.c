// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A target region starts with the control variables that the program started with, and changes its own ones.
// Compilers: gcc. (Clang's code calls the region itself, and the runtime knows nothing of it.)
#include "expect.h"
#include <omp.h>

int main(void) {
    const int first = omp_get_max_threads();
    omp_set_num_threads(first + 1);
    omp_set_dynamic(1);
    int seen = 0, is_dynamic = 0;
#pragma omp target map(from : seen, is_dynamic)
    {
        seen = omp_get_max_threads();
        is_dynamic = omp_get_dynamic();
        omp_set_num_threads(first + 2);
    }
    EXPECT_EQUAL(seen, first);
    EXPECT_EQUAL(is_dynamic, 0);
    EXPECT_EQUAL(omp_get_max_threads(), first + 1);
    return expectations_failed;
}
