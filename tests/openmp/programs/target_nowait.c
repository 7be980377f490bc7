// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// target nowait: a task with its own copies of firstprivate variables, ordered by depend, waited for by taskwait, by a
// taskgroup and at the end of a region. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <string.h>

enum { chain = 200, cells = 8 };

int main(void) {
    long state[cells] = {0};
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < chain; i++) {
            for (int cell = 0; cell < cells; cell++) {
                char text[24];
                memset(text, 'a' + i % 16, sizeof text);
#pragma omp target map(tofrom : state[cell : 1]) firstprivate(i, cell, text) depend(inout : state[cell]) nowait
                {
                    if (state[cell] != i || text[23] != 'a' + i % 16)
                        state[cell] = -chain;
                    state[cell]++;
                    text[23] = 'z';
                }
                memset(text, '-', sizeof text);
            }
        }
#pragma omp taskwait
        for (int cell = 0; cell < cells; cell++)
            EXPECT_EQUAL(state[cell], chain);
    }

    int ended = 0;
#pragma omp taskgroup
    {
        for (int i = 0; i < 50; i++)
#pragma omp target map(tofrom : ended) nowait
#pragma omp atomic
            ended++;
    }
    EXPECT_EQUAL(ended, 50);

    int begun = 0, seen = 0;
#pragma omp task shared(begun) depend(out : begun)
    begun = 1;
#pragma omp target map(to : begun) map(from : seen) depend(in : begun)
    seen = begun;
    EXPECT_EQUAL(seen, 1);
    return expectations_failed;
}
