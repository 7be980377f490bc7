// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One untied task makes 10 million tasks, in bounded memory. Compilers: gcc, clang.
#include "expect.h"
#include "resident_memory.h"
#include <omp.h>

enum { tasks = 10000000 };
static long per_thread[64][8];

int main(void) {
    long most = 0;
    const long before = resident_bytes();
#pragma omp parallel
#pragma omp single
#pragma omp task untied shared(most)
    for (int i = 0; i < tasks; i++) {
#pragma omp task
        per_thread[omp_get_thread_num()][0]++;
        if (i % 100000 == 0) {
            const long now = resident_bytes();
            most = now > most ? now : most;
        }
    }
    long sum = 0;
    for (int thread = 0; thread < 64; thread++)
        sum += per_thread[thread][0];
    EXPECT_EQUAL(sum, tasks);
    EXPECT(most - before < (64L << 20));
    return expectations_failed;
}
