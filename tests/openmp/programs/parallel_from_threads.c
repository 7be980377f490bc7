// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that the program has made itself run regions at the same time: each has a team and control variables of its
// own. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>

enum { makers = 4, rounds = 50 };

static int number;
#pragma omp threadprivate(number)

static int in_critical;

static void *make_regions(void *argument) {
    const int maker = *(const int *)argument;
    EXPECT_EQUAL(omp_get_level(), 0);
    EXPECT_EQUAL(omp_get_thread_num(), 0);
    EXPECT(!omp_in_parallel());
    omp_set_num_threads(maker + 1);
    number = maker;
    for (int round = 0; round < rounds; round++) {
        int sum = 0, tasks = 0;
#pragma omp parallel reduction(+ : sum) shared(tasks)
        {
            EXPECT_EQUAL(omp_get_num_threads(), maker + 1);
            sum += omp_get_thread_num();
#pragma omp single nowait
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
                tasks++;
            }
#pragma omp critical
            in_critical++;
        }
        EXPECT_EQUAL(sum, maker * (maker + 1) / 2);
        EXPECT_EQUAL(tasks, 20);
        EXPECT_EQUAL(omp_get_max_threads(), maker + 1);
        EXPECT_EQUAL(number, maker);
    }
    return NULL;
}

int main(void) {
    const int before = omp_get_max_threads();
    pthread_t threads[makers];
    int numbers[makers];
    for (int i = 0; i < makers; i++) {
        numbers[i] = i;
        EXPECT_EQUAL(pthread_create(&threads[i], NULL, make_regions, &numbers[i]), 0);
    }
    for (int i = 0; i < makers; i++)
        pthread_join(threads[i], NULL);
    EXPECT_EQUAL(omp_get_max_threads(), before);
    EXPECT_EQUAL(in_critical, rounds * (1 + 2 + 3 + 4));
    return expectations_failed;
}
