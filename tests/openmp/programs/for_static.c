// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for schedule(static) without chunk: one contiguous block per thread, in the order of the threads, with lengths that
// differ by at most one, the same in each loop. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { limit = 1000 };

static void check_length(int length) {
    int owner[limit], again[limit], runs[limit] = {0}, size = 1;
#pragma omp parallel
    {
#pragma omp master
        size = omp_get_num_threads();
#pragma omp for schedule(static)
        for (int i = 0; i < length; i++) {
            owner[i] = omp_get_thread_num();
#pragma omp atomic
            runs[i]++;
        }
#pragma omp for schedule(static)
        for (int i = 0; i < length; i++)
            again[i] = omp_get_thread_num();
    }
    int iterations[64] = {0};
    for (int i = 0; i < length; i++) {
        EXPECT_EQUAL(runs[i], 1);
        EXPECT_EQUAL(again[i], owner[i]);
        EXPECT(i == 0 || owner[i] >= owner[i - 1]);
        iterations[owner[i]]++;
    }
    for (int thread = 0; thread < size; thread++)
        EXPECT(iterations[thread] == length / size || iterations[thread] == (length + size - 1) / size);
}

int main(void) {
    static const int lengths[] = {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 999, 1000};
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
        check_length(lengths[i]);
    return expectations_failed;
}
