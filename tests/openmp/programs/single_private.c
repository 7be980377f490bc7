// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single with private and firstprivate, nowait, and inside functions, loops and nested regions. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int in_function(int *runs) {
    int mine = 0;
#pragma omp single
    {
        ++*runs;
        mine = 1;
    }
    return mine;
}

int main(void) {
    int given = 5, scratch = 6, first = 0, second = 0, in_a_function = 0, chosen = 0, inner = 0;
#pragma omp parallel
    {
#pragma omp single private(scratch) firstprivate(given)
        {
            scratch = ++given;
            first = scratch;
        }
        // Nobody waits, so that each has to look at its own number of constructs.
        for (int i = 0; i < 1000; i++) {
#pragma omp single nowait
#pragma omp atomic
            second++;
        }
        const int mine = in_function(&in_a_function);
#pragma omp atomic
        chosen += mine;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp atomic
        inner++;
#pragma omp single nowait
        given = 50;
    }
    EXPECT_EQUAL(given, 50);
    EXPECT_EQUAL(scratch, 6);
    EXPECT_EQUAL(first, 6);
    EXPECT_EQUAL(second, 1000);
    EXPECT_EQUAL(in_a_function, 1);
    EXPECT_EQUAL(chosen, 1);
    EXPECT_EQUAL(inner, omp_get_max_threads());
    return expectations_failed;
}
