// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nestable locks: the task that holds one takes it again and counts, others wait until the count is zero.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { turns = 200 };

static omp_nest_lock_t lock;
static int inside, total;

static void deeper(int depth) {
    omp_set_nest_lock(&lock);
    total++;
    if (depth > 0)
        deeper(depth - 1);
    else
        sched_yield();
    omp_unset_nest_lock(&lock);
}

int main(void) {
    omp_init_nest_lock(&lock);
    // The count is what omp_test_nest_lock returns.
    for (int depth = 1; depth <= 5; depth++)
        EXPECT_EQUAL(omp_test_nest_lock(&lock), depth);
    int got = 0;
#pragma omp parallel num_threads(4) reduction(+ : got)
    {
        // libomp lets all tasks of the holder's thread take it.
        if (omp_get_thread_num() > 0)
            got += omp_test_nest_lock(&lock) != 0;
    }
    EXPECT_EQUAL(got, 0);
    for (int depth = 5; depth >= 1; depth--)
        omp_unset_nest_lock(&lock);
    EXPECT_EQUAL(omp_test_nest_lock(&lock), 1);
    omp_unset_nest_lock(&lock);

#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        omp_set_nest_lock(&lock);
        EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
        deeper(i % 4);
        while (omp_test_nest_lock(&lock) < 3) {
        }
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
        __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
        omp_unset_nest_lock(&lock);
        deeper(1);
    }
    EXPECT_EQUAL(total, omp_get_max_threads() * turns / 4 * (1 + 2 + 3 + 4 + 4 * 2));
    omp_destroy_nest_lock(&lock);
    return expectations_failed;
}
