// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// master, and masked with and without filter: only the thread that is named runs the block, and nobody waits.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int iterations;

int main(void) {
    int masters = 0, masked = 0, filtered = 0, nobody = 0, team = 0;
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), size = omp_get_num_threads(), last = size - 1;
#pragma omp master
        {
            EXPECT_EQUAL(me, 0);
            team = size;
            masters++;
        }
#pragma omp masked
        {
            EXPECT_EQUAL(me, 0);
            masked++;
        }
#pragma omp masked filter(last)
        {
            EXPECT_EQUAL(me, last);
#pragma omp atomic
            filtered++;
        }
        // Each thread names itself.
#pragma omp masked filter(me)
#pragma omp atomic
        filtered++;
#pragma omp masked filter(size + 5)
        nobody++;
        // If there were a barrier, this would wait for ever.
        static volatile int turn;
        for (int i = 0; i < size; i++) {
#pragma omp masked filter(i)
            {
                int seen;
                do {
#pragma omp atomic read
                    seen = turn;
                } while (seen != i);
#pragma omp atomic write
                turn = i + 1;
            }
        }
    }
    EXPECT_EQUAL(masters, 1);
    EXPECT_EQUAL(masked, 1);
    EXPECT_EQUAL(filtered, team + 1);
    EXPECT_EQUAL(nobody, 0);

    int tasks = 0;
#pragma omp parallel master
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
        tasks++;
    }
    EXPECT_EQUAL(tasks, 100);
#pragma omp parallel master taskloop
    for (int i = 0; i < 100; i++)
#pragma omp atomic
        iterations++;
    EXPECT_EQUAL(iterations, 100);
    return expectations_failed;
}
