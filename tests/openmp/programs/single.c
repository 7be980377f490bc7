// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single and single nowait: one thread of the team runs each of them. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { count = 300 };

int main(void) {
    int runs[count] = {0}, nowait_runs[count] = {0};
#pragma omp parallel
    {
        for (int i = 0; i < count; i++) {
#pragma omp single
            runs[i]++;
            // The barrier at the end of single makes the store visible to the whole team.
            EXPECT_EQUAL(runs[i], 1);
        }
        for (int i = 0; i < count; i++) {
#pragma omp single nowait
            nowait_runs[i]++;
        }
    }
    for (int i = 0; i < count; i++) {
        EXPECT_EQUAL(runs[i], 1);
        EXPECT_EQUAL(nowait_runs[i], 1);
    }
    return expectations_failed;
}
