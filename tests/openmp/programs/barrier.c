// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// barrier: what any thread wrote before it, every thread reads after it, in many phases. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { limit = 64, phases = 500 };
static int written[limit];

int main(void) {
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), size = omp_get_num_threads();
        for (int phase = 1; phase <= phases; phase++) {
            written[me] = phase;
#pragma omp barrier
            for (int other = 0; other < size; other++)
                EXPECT_EQUAL(written[other], phase);
#pragma omp barrier
        }
    }
    return expectations_failed;
}
