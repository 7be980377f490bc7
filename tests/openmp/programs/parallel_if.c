// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// if on parallel: a false condition gives a team of one thread, which is the caller. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>

int main(void) {
    const pthread_t caller = pthread_self();
    for (int wanted = 0; wanted < 2; wanted++) {
        int runs = 0;
#pragma omp parallel if (wanted) num_threads(3) reduction(+ : runs)
        {
            runs++;
            EXPECT_EQUAL(omp_get_num_threads(), wanted ? 3 : 1);
            EXPECT_EQUAL(omp_in_parallel(), wanted);
            EXPECT_EQUAL(omp_get_level(), 1);
            EXPECT_EQUAL(omp_get_active_level(), wanted);
            if (omp_get_thread_num() == 0)
                EXPECT(pthread_equal(pthread_self(), caller));
        }
        EXPECT_EQUAL(runs, wanted ? 3 : 1);
    }
    return expectations_failed;
}
