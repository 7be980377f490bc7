// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task untied: each task runs once, whatever thread goes on with it after a taskwait, a taskyield or a task of its own.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int fib(int n) {
    int left, right;
    if (n < 2)
        return n;
#pragma omp task untied shared(left) firstprivate(n)
    left = fib(n - 1);
#pragma omp task untied shared(right) firstprivate(n)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

static int runs[500], children;

int main(void) {
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(18);
    EXPECT_EQUAL(result, 2584);

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 500; i++) {
#pragma omp task untied firstprivate(i)
        {
            int value = i;
#pragma omp taskyield
            EXPECT_EQUAL(value, i);
            value++;
#pragma omp task shared(value)
            {
                value++;
#pragma omp atomic
                children++;
            }
#pragma omp taskwait
            EXPECT_EQUAL(value, i + 2);
            runs[i] += value;
        }
    }
    EXPECT_EQUAL(children, 500);
    for (int i = 0; i < 500; i++)
        EXPECT_EQUAL(runs[i], i + 2);

    // A task that makes all the others is untied.
    int total = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(total)
    for (int i = 0; i < 5000; i++) {
#pragma omp task shared(total)
#pragma omp atomic
        total++;
    }
    EXPECT_EQUAL(total, 5000);
    return expectations_failed;
}
