// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks of nested regions: a task opens a region whose members make tasks, a group waits for its own alone, and
// dependences hold inside of each region. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int work(int depth) {
    int total = 0;
    if (depth == 0)
        return 1;
#pragma omp parallel num_threads(2) reduction(+ : total)
    {
        int left = 0, right = 0, order = 0, seen = 0;
#pragma omp taskgroup
        {
#pragma omp task shared(left)
            left = work(depth - 1);
#pragma omp task shared(right)
            right = work(depth - 1);
        }
        EXPECT_EQUAL(left, right);
#pragma omp task shared(order) depend(out : order)
        order = 1;
#pragma omp task shared(order, seen) depend(in : order)
        seen = order;
#pragma omp taskwait
        EXPECT_EQUAL(seen, 1);
        total += left + right;
    }
    return total;
}

int main(void) {
    omp_set_max_active_levels(4);
    for (int round = 0; round < 20; round++) {
        int result = 0;
#pragma omp parallel
#pragma omp single
#pragma omp task shared(result)
        result = work(3);
        // Each level has two threads, with two calls each.
        EXPECT_EQUAL(result, 4 * 4 * 4);
    }
    return expectations_failed;
}
