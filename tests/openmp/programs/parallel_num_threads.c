// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// num_threads on parallel: the team has the size that the clause asks for, for this region only; omp_set_num_threads
// holds until it is called again. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int team_of(int wanted) {
    int size = 0, sum = 0;
#pragma omp parallel num_threads(wanted) reduction(+ : sum)
    {
        sum += omp_get_thread_num() + 1;
#pragma omp master
        size = omp_get_num_threads();
    }
    EXPECT_EQUAL(sum, size * (size + 1) / 2);
    return size;
}

int main(void) {
    omp_set_dynamic(0);
    const int default_size = omp_get_max_threads();
    for (int wanted = 1; wanted <= 9; wanted++)
        EXPECT_EQUAL(team_of(wanted), wanted);
    for (int wanted = 9; wanted >= 1; wanted--)
        EXPECT_EQUAL(team_of(wanted), wanted);
    EXPECT_EQUAL(omp_get_max_threads(), default_size);
    omp_set_num_threads(5);
    EXPECT_EQUAL(omp_get_max_threads(), 5);
    int size = 0;
#pragma omp parallel
#pragma omp master
    size = omp_get_num_threads();
    EXPECT_EQUAL(size, 5);
    return expectations_failed;
}
