// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KMP_ENABLE_TASK_THROTTLING=false: the thread that makes tasks runs none before all are made, though no other thread
// can take them. The scheduler is one without a bound of its own. Compilers: clang (GCC's runtime has a bound).
#include "expect.h"
#include <omp.h>

enum { tasks = 500 };

int main(void) {
    int made_all = 0, may_end = 0, ran = 0;
#pragma omp parallel num_threads(2)
#pragma omp master
    {
        for (int i = 0; i < tasks; i++)
#pragma omp task
        {
            if (omp_get_thread_num() == 0) {
                EXPECT(made_all);
#pragma omp atomic write
                may_end = 1;
            }
            // The other thread stays in its first task until this one runs tasks.
            for (int end = 0; !end;) {
#pragma omp atomic read
                end = may_end;
            }
#pragma omp atomic
            ran++;
        }
        made_all = 1;
#pragma omp atomic write
        may_end = 1;
    }
    EXPECT_EQUAL(ran, tasks);
    return expectations_failed;
}
