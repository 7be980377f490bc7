// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// critical with names and hints: hints change nothing about what is right. Two files' worth of places share a name.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { turns = 100 };

static int count, inside;

static void step(void) {
    EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
    const int seen = count;
    sched_yield();
    count = seen + 1;
    __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
}

static void in_function(void) {
#pragma omp critical(place) hint(omp_sync_hint_contended)
    step();
}

int main(void) {
    int uncontended = 0, nonspeculative = 0, speculative = 0;
#pragma omp parallel
    {
        for (int i = 0; i < turns; i++) {
#pragma omp critical(place) hint(omp_sync_hint_contended)
            step();
            in_function();
#pragma omp critical(first) hint(omp_sync_hint_uncontended)
            uncontended++;
#pragma omp critical(second) hint(omp_sync_hint_nonspeculative)
            nonspeculative++;
#pragma omp critical(third) hint(omp_sync_hint_speculative | omp_sync_hint_contended)
            speculative++;
        }
    }
    const int all = turns * omp_get_max_threads();
    EXPECT_EQUAL(count, 2 * all);
    EXPECT_EQUAL(uncontended, all);
    EXPECT_EQUAL(nonspeculative, all);
    EXPECT_EQUAL(speculative, all);
    return expectations_failed;
}
