// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without OMP_CANCELLATION the cancel constructs have no effect.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    EXPECT(!omp_get_cancellation());
    int threads = 0, loop = 0, sections = 0, tasks = 0, team = 0;
#pragma omp parallel
    {
#pragma omp cancel parallel
#pragma omp cancellation point parallel
#pragma omp for reduction(+ : loop)
        for (int i = 0; i < 100; i++) {
#pragma omp cancel for
            loop++;
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                sections++;
            }
#pragma omp section
            {
#pragma omp cancellation point sections
#pragma omp atomic
                sections++;
            }
        }
#pragma omp barrier
#pragma omp atomic
        threads++;
#pragma omp single
        {
            team = omp_get_num_threads();
#pragma omp taskgroup
            for (int i = 0; i < 100; i++) {
#pragma omp task
                {
#pragma omp cancel taskgroup
#pragma omp atomic
                    tasks++;
                }
            }
        }
    }
    EXPECT_EQUAL(threads, team);
    EXPECT_EQUAL(loop, 100);
    EXPECT_EQUAL(sections, 2);
    EXPECT_EQUAL(tasks, 100);
    return expectations_failed;
}
