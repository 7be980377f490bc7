// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier in a team with more threads than processors: after it, the others wait in a loop of their own for the primary
// thread, which must soon get a processor. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <unistd.h>

enum { phases = 2000, looks = 100000 };
static int volatile done;

int main(void) {
#pragma omp parallel num_threads(2 * omp_get_num_procs())
    for (int phase = 1; phase <= phases; phase++) {
#pragma omp barrier
        if (omp_get_thread_num() == 0) {
            EXPECT_EQUAL(done, phase - 1);
            done = phase;
        } else {
            for (int look = 0; look < looks && done != phase; look++)
                ;
            while (done != phase)
                usleep(10);
        }
#pragma omp barrier
    }
    EXPECT_EQUAL(done, phases);
    return expectations_failed;
}
