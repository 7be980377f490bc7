// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// teams with thread_limit: no region inside has more threads, nested ones together neither. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

// Compilers refuse the call between teams and parallel.
static int limit_here(void) { return omp_get_thread_limit(); }

int main(void) {
    omp_set_dynamic(0);
    for (int limit = 1; limit < 6; limit++) {
        int regions = 0;
#pragma omp teams num_teams(2) thread_limit(limit) reduction(+ : regions)
        {
            EXPECT_EQUAL(limit_here(), limit);
            int most = 0;
#pragma omp parallel num_threads(8) reduction(max : most)
            {
                most = omp_get_num_threads();
                EXPECT(omp_get_num_threads() <= limit);
            }
            EXPECT(most >= 1 && most <= limit);
            int iterations = 0;
#pragma omp distribute parallel for num_threads(8) reduction(+ : iterations)
            for (int i = 0; i < 100; i++) {
                EXPECT(omp_get_num_threads() <= limit);
                iterations++;
            }
            regions += iterations;
        }
        EXPECT_EQUAL(regions, 100);
    }
    return expectations_failed;
}
