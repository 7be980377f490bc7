// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// omp_pause_resource and omp_pause_resource_all: outside of regions they succeed, and the next region is as before,
// with its control variables; inside of a region they are refused. The threads of the region before have ended, so the
// threadprivate variables of all but the first thread are new, also if another thread opens regions at the same time. A
// thread that searches for work for long (TEFF_SPIN_US) ends at once, too. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>

static int of_thread = 5;
#pragma omp threadprivate(of_thread)

static void region(int size) {
    int sum = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
    sum += omp_get_thread_num() + 1;
    EXPECT_EQUAL(sum, size * (size + 1) / 2);
}

static void threads_are_new_after(omp_pause_resource_t kind) {
    of_thread = 5;
#pragma omp parallel num_threads(4)
    of_thread += 1;
#pragma omp parallel num_threads(4)
    EXPECT_EQUAL(of_thread, 6);
    EXPECT_EQUAL(omp_pause_resource_all(kind), 0);
#pragma omp parallel num_threads(4)
    EXPECT_EQUAL(of_thread, omp_get_thread_num() == 0 ? 6 : 5);
}

static void pauses_do_not_wait_for_searches(void) {
    double least = 1;
    for (int round = 0; round < 20; round++) {
        region(4);
        const double begin = omp_get_wtime();
        EXPECT_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
        const double taken = omp_get_wtime() - begin;
        least = taken < least ? taken : least;
    }
    EXPECT(least < 0.05);
}

static int must_end;

static void *open_regions(void *unused) {
    while (!__atomic_load_n(&must_end, __ATOMIC_RELAXED))
        region(3);
    return unused;
}

static void pauses_beside_regions(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        EXPECT_EQUAL(pthread_create(&threads[i], NULL, open_regions, NULL), 0);
    for (int round = 0; round < 300; round++) {
        region(2 + round % 3);
        EXPECT_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
    }
    __atomic_store_n(&must_end, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(void) {
    const omp_pause_resource_t kinds[] = {omp_pause_soft, omp_pause_hard};
    for (int round = 0; round < 50; round++)
        threads_are_new_after(kinds[round % 2]);
    pauses_do_not_wait_for_searches();
    pauses_beside_regions();
    omp_set_num_threads(3);
    omp_set_schedule(omp_sched_guided, 7);
    for (int round = 0; round < 200; round++) {
        region(1 + round % 5);
        EXPECT_EQUAL(omp_pause_resource_all(kinds[round % 2]), 0);
        if (round % 3 == 0)
            EXPECT_EQUAL(omp_pause_resource(kinds[round % 2], omp_get_initial_device()), 0);
        if (round % 5 == 0)
            EXPECT_EQUAL(omp_pause_resource_all(kinds[round % 2]), 0);
        region(2);
        EXPECT_EQUAL(omp_get_max_threads(), 3);
        omp_sched_t kind;
        int chunk;
        omp_get_schedule(&kind, &chunk);
        EXPECT_EQUAL(kind, omp_sched_guided);
        EXPECT_EQUAL(chunk, 7);
    }
#pragma omp parallel num_threads(2)
#pragma omp single
    EXPECT(omp_pause_resource_all(omp_pause_hard) != 0);
    EXPECT(omp_pause_resource(omp_pause_hard, omp_get_initial_device() + 1000) != 0);
    region(2);
    return expectations_failed;
}
