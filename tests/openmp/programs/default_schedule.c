// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The schedule(runtime) of a program that sets none is that of the runtime which the program was linked with.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
#ifdef __clang__
    const omp_sched_t usual = omp_sched_static;
    const int usual_chunk = 0;
#else
    const omp_sched_t usual = omp_sched_dynamic;
    const int usual_chunk = 1;
#endif
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    EXPECT_EQUAL(kind, usual);
    EXPECT_EQUAL(chunk, usual_chunk);
    return expectations_failed;
}
