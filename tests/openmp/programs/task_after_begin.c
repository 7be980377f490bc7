// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread runs tasks of a region after it has begun its implicit task, so after copyin. Threads that still wait at the
// end of a region find tasks of the next one. programs.txt names a scheduler that deals tasks to such threads.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { regions = 5000, tasks = 16 };

static int begun;
#pragma omp threadprivate(begun)

int main(void) {
    int early = 0, runs = 0;
    for (int region = 1; region <= regions; region++) {
        begun = region;
#pragma omp parallel copyin(begun)
#pragma omp single nowait
        for (int i = 0; i < tasks; i++) {
#pragma omp task shared(early, runs)
            {
                if (begun != region) {
#pragma omp atomic
                    early++;
                }
#pragma omp atomic
                runs++;
            }
        }
    }
    EXPECT_EQUAL(early, 0);
    EXPECT_EQUAL(runs, regions * tasks);
    return expectations_failed;
}
