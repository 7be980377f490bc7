// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The variables of the environment that set control variables: programs.txt gives their values. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    omp_sched_t kind;
    int chunk, limited = 0;
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQUAL(kind & ~omp_sched_monotonic, omp_sched_guided);
    EXPECT_EQUAL(chunk, 7);
    EXPECT_EQUAL(omp_get_thread_limit(), 5);
    EXPECT_EQUAL(omp_get_max_active_levels(), 3);
    EXPECT_EQUAL(omp_get_dynamic(), 1);
    EXPECT_EQUAL(omp_get_cancellation(), 1);
    EXPECT_EQUAL(omp_get_max_task_priority(), 9);
    EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_false);
    omp_set_dynamic(0);
    // The limit holds for all threads of the program together.
#pragma omp parallel num_threads(8)
    {
#pragma omp atomic
        limited++;
        EXPECT(omp_get_num_threads() <= 5);
    }
    EXPECT(limited >= 1 && limited <= 5);
    return expectations_failed;
}
