// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs outside of every parallel region: they work in a team of the one initial thread. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int table[50], sum, last;

static int in_tasks(int n) {
    int left = 0, right = 0;
    if (n < 2)
        return n;
#pragma omp task shared(left)
    left = in_tasks(n - 1);
#pragma omp task shared(right)
    right = in_tasks(n - 2);
#pragma omp taskwait
    return left + right;
}

int main(void) {
    int singles = 0, order = 0, parts = 0;
    EXPECT_EQUAL(omp_get_num_threads(), 1);
    EXPECT_EQUAL(omp_get_level(), 0);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(0), 0);
    EXPECT_EQUAL(omp_get_team_size(0), 1);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(1), -1);
#pragma omp single
    singles++;
#pragma omp master
    singles++;
#pragma omp barrier
#pragma omp for reduction(+ : sum) lastprivate(last)
    for (int i = 0; i < 50; i++) {
        table[i] = i;
        sum += i;
        last = i;
    }
#pragma omp for schedule(dynamic, 4)
    for (int i = 0; i < 50; i++)
        table[i]++;
#pragma omp for schedule(guided)
    for (int i = 0; i < 50; i++)
        table[i]++;
#pragma omp for ordered schedule(runtime)
    for (int i = 0; i < 50; i++)
#pragma omp ordered
        EXPECT_EQUAL(order++, i);
#pragma omp sections
    {
#pragma omp section
        parts++;
#pragma omp section
        parts++;
#pragma omp section
        parts++;
    }
#pragma omp critical(name)
    parts++;
    EXPECT_EQUAL(singles, 2);
    EXPECT_EQUAL(sum, 49 * 50 / 2);
    EXPECT_EQUAL(last, 49);
    EXPECT_EQUAL(order, 50);
    EXPECT_EQUAL(parts, 4);
    for (int i = 0; i < 50; i++)
        EXPECT_EQUAL(table[i], i + 2);
    EXPECT_EQUAL(in_tasks(15), 610);
#pragma omp taskloop
    for (int i = 0; i < 50; i++)
        table[i] = 0;
    for (int i = 0; i < 50; i++)
        EXPECT_EQUAL(table[i], 0);
    return expectations_failed;
}
