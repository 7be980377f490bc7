// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The routines that set and read control variables, in the sequential part and in regions. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void sizes(void) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(3);
    EXPECT_EQUAL(omp_get_max_threads(), 3);
#pragma omp parallel
    {
        EXPECT_EQUAL(omp_get_num_threads(), 3);
        EXPECT_EQUAL(omp_get_max_threads(), 3);
    }
#pragma omp parallel num_threads(2)
    {
        EXPECT_EQUAL(omp_get_num_threads(), 2);
        // The clause holds for its region only.
        EXPECT_EQUAL(omp_get_max_threads(), 3);
        omp_set_num_threads(5);
        EXPECT_EQUAL(omp_get_max_threads(), 5);
    }
    EXPECT_EQUAL(omp_get_max_threads(), 3);
    omp_set_num_threads(before);
    EXPECT(omp_get_num_procs() >= 1);
    EXPECT(omp_get_thread_limit() >= 1);
}

static void switches(void) {
    omp_set_dynamic(1);
    EXPECT_EQUAL(omp_get_dynamic(), 1);
#pragma omp parallel num_threads(2)
    {
        EXPECT_EQUAL(omp_get_dynamic(), 1);
        EXPECT(omp_get_num_threads() <= 2);
    }
    omp_set_dynamic(0);
    EXPECT_EQUAL(omp_get_dynamic(), 0);
    EXPECT_EQUAL(omp_get_cancellation(), 0);
    EXPECT_EQUAL(omp_get_max_task_priority(), 0);
    EXPECT_EQUAL(omp_in_final(), 0);
}

static void levels(void) {
    const int before = omp_get_max_active_levels();
    EXPECT(omp_get_supported_active_levels() >= 4);
    omp_set_max_active_levels(4);
    EXPECT_EQUAL(omp_get_max_active_levels(), 4);
    omp_set_max_active_levels(omp_get_supported_active_levels());
    EXPECT_EQUAL(omp_get_max_active_levels(), omp_get_supported_active_levels());
    omp_set_max_active_levels(before);
    EXPECT_EQUAL(omp_get_level(), 0);
    EXPECT_EQUAL(omp_get_active_level(), 0);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(0), 0);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(-1), -1);
    EXPECT_EQUAL(omp_get_ancestor_thread_num(1), -1);
    EXPECT_EQUAL(omp_get_team_size(0), 1);
    EXPECT_EQUAL(omp_get_team_size(-1), -1);
    EXPECT_EQUAL(omp_get_team_size(1), -1);
    EXPECT_EQUAL(omp_in_parallel(), 0);
#pragma omp parallel num_threads(2)
    EXPECT_EQUAL(omp_in_parallel(), 1);
#pragma omp parallel num_threads(1)
    EXPECT_EQUAL(omp_in_parallel(), 0);
}

static void schedules(void) {
    const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    omp_sched_t kind;
    int chunk;
    for (int i = 0; i < 3; i++)
        for (int size = 1; size < 100; size += 33) {
            omp_set_schedule(kinds[i], size);
            omp_get_schedule(&kind, &chunk);
            EXPECT_EQUAL(kind, kinds[i]);
            EXPECT_EQUAL(chunk, size);
            int sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
            for (int j = 0; j < 500; j++)
                sum += j;
            EXPECT_EQUAL(sum, 499 * 250);
        }
    omp_set_schedule(omp_sched_auto, 0);
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQUAL(kind, omp_sched_auto);
    // Less than one: the default size.
    omp_set_schedule(omp_sched_dynamic, -3);
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQUAL(kind, omp_sched_dynamic);
    EXPECT_EQUAL(chunk, 1);
}

static void clocks(void) {
    const double tick = omp_get_wtick(), start = omp_get_wtime();
    EXPECT(tick > 0 && tick < 0.1);
    double before = start;
    for (int i = 0; i < 1000; i++) {
        const double now = omp_get_wtime();
        EXPECT(now >= before);
        before = now;
    }
    while (omp_get_wtime() == start) {
    }
}

int main(void) {
    sizes();
    switches();
    levels();
    schedules();
    clocks();
    return expectations_failed;
}
