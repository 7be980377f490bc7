// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task if: with a false condition the maker goes on only after the task, which has its own data environment and whose
// children may be deferred. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 300 };

int main(void) {
    int deferred = 0, grandchildren = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        int at_once = 0, value = i;
#pragma omp task if (i % 2 == 0) firstprivate(value) shared(at_once)
        {
            value++;
            EXPECT_EQUAL(value, i + 1);
            at_once = value;
            if (i % 2 == 1) {
                // Tasks inside are not included, and need not have ended with their parent.
#pragma omp task shared(grandchildren)
#pragma omp atomic
                grandchildren++;
            }
        }
        EXPECT_EQUAL(value, i);
        if (i % 2 == 1)
            EXPECT_EQUAL(at_once, i + 1);
#pragma omp taskwait
        EXPECT_EQUAL(at_once, i + 1);
#pragma omp task if (task : i >= count) shared(deferred)
        {
            EXPECT_EQUAL(omp_get_level(), 1);
            deferred++;
        }
        EXPECT_EQUAL(deferred, i + 1);
    }
    EXPECT_EQUAL(deferred, count);
    EXPECT_EQUAL(grandchildren, count / 2);

    // An undeferred task waits for those that it depends on.
    int order = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
        int value = 0;
#pragma omp task depend(out : value) shared(value)
        value = 1;
#pragma omp task depend(inout : value) shared(value)
        value *= 10;
#pragma omp task if (0) depend(in : value) shared(value, order)
        {
            EXPECT_EQUAL(value, 10);
            order++;
        }
        EXPECT_EQUAL(order, i + 1);
    }
    return expectations_failed;
}
