// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks that are made in loops, sections, single with nowait, critical sections and inside tasks: the next barrier
// waits for them. A task may start a region of its own. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 200 };

static int runs;

static void make_one(void) {
#pragma omp task
#pragma omp atomic
    runs++;
}
static void expect_runs(int expected) {
#pragma omp barrier
    EXPECT_EQUAL(runs, expected);
#pragma omp barrier
#pragma omp single
    runs = 0;
}

int main(void) {
#pragma omp parallel
    {
        const int size = omp_get_num_threads();
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < count; i++)
            make_one();
        expect_runs(count);
#pragma omp for nowait
        for (int i = 0; i < count; i++)
            make_one();
        expect_runs(count);
#pragma omp sections nowait
        {
#pragma omp section
            make_one();
#pragma omp section
            make_one();
        }
        expect_runs(2);
        for (int i = 0; i < 50; i++) {
#pragma omp single nowait
            make_one();
#pragma omp critical
            make_one();
        }
        expect_runs(50 + 50 * size);
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 20; i++)
#pragma omp ordered
            make_one();
        expect_runs(20);
#pragma omp master
        for (int i = 0; i < 20; i++) {
#pragma omp task
            {
                make_one();
                make_one();
            }
        }
        expect_runs(40);
    }

    // A region inside a task.
    int inner = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(inner)
        {
            int sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
            {
#pragma omp single
                make_one();
                sum++;
            }
            EXPECT(sum == 1 || sum == 2);
#pragma omp atomic
            inner++;
        }
    }
    EXPECT_EQUAL(inner, 20);
    EXPECT_EQUAL(runs, 20);
    return expectations_failed;
}
