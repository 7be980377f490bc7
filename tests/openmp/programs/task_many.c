// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hundred thousand tasks of one maker, trees of tasks that nobody waits for, and tasks whose makers have ended.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 100000 };

static int runs, nodes;

static void grow(int depth) {
#pragma omp atomic
    nodes++;
    if (depth > 0) {
#pragma omp task
        grow(depth - 1);
#pragma omp task
        grow(depth - 1);
    }
}

static void chain(int left, int *end) {
    if (left == 0)
        *end = 1;
    else {
#pragma omp task
        chain(left - 1, end);
    }
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
#pragma omp task
#pragma omp atomic
        runs++;
    }
    EXPECT_EQUAL(runs, count);
#pragma omp parallel
#pragma omp master
    grow(13);
    EXPECT_EQUAL(nodes, (1 << 14) - 1);
    int end = 0;
#pragma omp parallel
#pragma omp single nowait
    chain(500, &end);
    EXPECT_EQUAL(end, 1);
    return expectations_failed;
}
