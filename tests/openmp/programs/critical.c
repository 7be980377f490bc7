// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// critical, unnamed and named: one thread at a time; names are independent of each other. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { turns = 200 };

int main(void) {
    int unnamed = 0, first = 0, second = 0, team = 0;
#pragma omp parallel
    {
#pragma omp master
        team = omp_get_num_threads();
        for (int i = 0; i < turns; i++) {
#pragma omp critical
            {
                const int seen = unnamed;
                sched_yield();
                unnamed = seen + 1;
            }
#pragma omp critical(one)
            {
                const int seen = first;
                sched_yield();
                first = seen + 1;
                // Another name inside: no deadlock.
#pragma omp critical(other)
                second++;
            }
#pragma omp critical(other)
            {
                const int seen = second;
                sched_yield();
                second = seen + 1;
            }
        }
    }
    EXPECT_EQUAL(unnamed, turns * team);
    EXPECT_EQUAL(first, turns * team);
    EXPECT_EQUAL(second, 2 * turns * team);
    return expectations_failed;
}
