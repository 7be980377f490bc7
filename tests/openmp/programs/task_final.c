// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task final and mergeable: all tasks inside a final one run at once and are final, too. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int fib(int n, int depth) {
    int left, right;
    EXPECT_EQUAL(!!omp_in_final(), depth > 4);
    if (n < 2)
        return n;
#pragma omp task shared(left) final(depth >= 4) mergeable
    left = fib(n - 1, depth + 1);
#pragma omp task shared(right) final(depth >= 4) mergeable
    right = fib(n - 2, depth + 1);
    // Nothing waits for tasks in a final task, since they have run.
    if (depth <= 4) {
#pragma omp taskwait
    }
    return left + right;
}

int main(void) {
    int result = 0, at_once = 0;
    EXPECT(!omp_in_final());
#pragma omp parallel
    {
        EXPECT(!omp_in_final());
#pragma omp single
        {
            result = fib(15, 0);
            EXPECT(!omp_in_final());
#pragma omp task final(1) shared(at_once)
            {
                const int me = omp_get_thread_num();
                for (int i = 0; i < 100; i++) {
#pragma omp task shared(at_once)
                    {
                        EXPECT(omp_in_final());
                        EXPECT_EQUAL(omp_get_thread_num(), me);
#pragma omp task shared(at_once)
                        at_once++;
                    }
                    EXPECT_EQUAL(at_once, i + 1);
                }
#pragma omp taskloop shared(at_once)
                for (int i = 0; i < 50; i++) {
                    EXPECT(omp_in_final());
                    at_once++;
                }
                EXPECT_EQUAL(at_once, 150);
            }
        }
    }
    EXPECT_EQUAL(result, 610);
    EXPECT_EQUAL(at_once, 150);

    // A false condition is no final task; a mergeable task that runs at once may share its maker's data, or not.
    int value = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task final(0)
        EXPECT(!omp_in_final());
#pragma omp task mergeable if (0) shared(value)
        value++;
    }
    EXPECT_EQUAL(value, 2);
    return expectations_failed;
}
