// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel parallel, its if clause, and cancellation points and barriers as the places where threads notice: no thread
// passes a barrier that the canceller does not come to, all end the region, and the next region has nothing of it.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int team, passed, reached, tasks_run;

static void count(int *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

// One thread cancels before barrier number `when`, which the others wait at.
static void cancel_before_a_barrier(int canceller, int when) {
    passed = reached = 0;
#pragma omp parallel
    {
#pragma omp single
        team = omp_get_num_threads();
        for (int i = 0; i < 4; i++) {
            if (i == when && omp_get_thread_num() == canceller % team) {
#pragma omp cancel parallel
                expect(0, __FILE__, __LINE__, "a canceller goes on");
            }
#pragma omp barrier
            if (i >= when)
                count(&passed);
        }
        count(&reached);
    }
    EXPECT_EQUAL(passed, 0);
    EXPECT_EQUAL(reached, 0);
}

// The others notice at a cancellation point, for which they wait without a barrier.
static void cancel_at_a_point(void) {
    passed = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        for (;;) {
#pragma omp cancellation point parallel
        }
    }
}

static void not_cancelled(int wanted) {
    passed = 0;
#pragma omp parallel
    {
#pragma omp cancel parallel if (wanted)
#pragma omp cancellation point parallel
#pragma omp barrier
        count(&passed);
#pragma omp single
        team = omp_get_num_threads();
    }
    EXPECT_EQUAL(passed, team);
}

// Tasks that were begun end before the region does; others may not run any more.
static void cancel_with_tasks(void) {
    tasks_run = 0;
    int last = 0;
#pragma omp parallel shared(last)
    {
        for (int i = 0; i < 50; i++) {
#pragma omp task shared(last)
            {
                count(&tasks_run);
                __atomic_store_n(&last, 1, __ATOMIC_RELAXED);
            }
        }
#pragma omp cancel parallel
    }
    const int at_end = __atomic_load_n(&tasks_run, __ATOMIC_RELAXED);
    EXPECT(at_end <= 50 * omp_get_max_threads());
    last = 0;
    // None is late.
#pragma omp parallel
    {
#pragma omp barrier
    }
    EXPECT_EQUAL(last, 0);
    EXPECT_EQUAL(tasks_run, at_end);
}

// Loops that the canceller does not take part in: the others do not wait for it.
static void cancel_before_loops(void) {
    int done = 0;
#pragma omp parallel shared(done)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
        for (int loop = 0; loop < 20; loop++) {
#pragma omp for schedule(dynamic) nowait
            for (int i = 0; i < 100; i++)
                count(&done);
#pragma omp for schedule(static, 1) ordered nowait
            for (int i = 0; i < 20; i++) {
#pragma omp ordered
                count(&done);
            }
        }
    }
    done = 0;
#pragma omp parallel shared(done)
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 100; i++)
            count(&done);
#pragma omp for ordered
        for (int i = 0; i < 100; i++) {
#pragma omp ordered
            done++;
        }
    }
    EXPECT_EQUAL(done, 200);
}

// An inner region is cancelled, the outer one is not.
static void cancel_inner(void) {
    passed = reached = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp cancel parallel
            count(&passed);
        }
#pragma omp barrier
#pragma omp cancellation point parallel
        count(&reached);
    }
    EXPECT_EQUAL(passed, 0);
    EXPECT_EQUAL(reached, omp_get_max_threads() == 1 ? reached : 2);
    omp_set_max_active_levels(1);
}

int main(void) {
    EXPECT(omp_get_cancellation());
    for (int round = 0; round < 200; round++) {
        cancel_before_a_barrier(round, round % 4);
        if (round % 8 == 0)
            not_cancelled(0);
        if (round % 8 == 1)
            cancel_at_a_point();
        if (round % 8 == 2)
            cancel_with_tasks();
        if (round % 8 == 3)
            cancel_before_loops();
        if (round % 8 == 4)
            cancel_inner();
    }
    return expectations_failed;
}
