// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel with private, firstprivate, shared and default(none): every thread of the team runs the region once, and the
// region's end is a barrier. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { limit = 64 };

int main(void) {
    const int wanted = omp_get_max_threads();
    int runs[limit] = {0}, given = 42, scratch = 7, team = 0;
#pragma omp parallel default(none) shared(runs, team, expectations_failed) firstprivate(given) private(scratch)
    {
        const int me = omp_get_thread_num();
        EXPECT(me >= 0 && me < omp_get_num_threads());
        EXPECT_EQUAL(given, 42);
        given += me;
        scratch = me;
#pragma omp barrier
        EXPECT_EQUAL(given, 42 + me);
        EXPECT_EQUAL(scratch, me);
        runs[me]++;
        if (me == 0)
            team = omp_get_num_threads();
    }
    EXPECT_EQUAL(team, wanted);
    EXPECT_EQUAL(given, 42);
    EXPECT_EQUAL(scratch, 7);
    for (int i = 0; i < limit; i++)
        EXPECT_EQUAL(runs[i], i < team);
    EXPECT_EQUAL(omp_get_num_threads(), 1);
    EXPECT(!omp_in_parallel());
    return expectations_failed;
}
