// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 64 threads of the program's own open regions at once, 10,000 each. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>

enum { makers = 64, rounds = 10000 };

static long sums[makers];

static void *make_regions(void *argument) {
    const int maker = (int)(long)argument;
    long sum = 0;
    for (int round = 0; round < rounds; round++) {
        int in_region = 0;
        // Most ask for one thread more, so that regions of several threads begin and end all the time.
#pragma omp parallel num_threads(1 + round % 2) reduction(+ : in_region)
        in_region += omp_get_thread_num() + 1;
        sum += in_region;
        EXPECT(in_region == 1 || in_region == 3);
    }
    sums[maker] = sum;
    return NULL;
}

int main(void) {
    pthread_t threads[makers];
    for (long i = 0; i < makers; i++)
        EXPECT_EQUAL(pthread_create(&threads[i], NULL, make_regions, (void *)i), 0);
    for (int i = 0; i < makers; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < makers; i++)
        EXPECT_EQUAL(sums[i], rounds / 2 * (1 + 3));
    return expectations_failed;
}
