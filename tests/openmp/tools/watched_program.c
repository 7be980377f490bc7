// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a known number of events: 3 regions, 10 tasks in one of them, 4 critical sections.
#include <stdio.h>

int main(void) {
    int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < 10; i++)
#pragma omp task
        __atomic_fetch_add(&sum, i, __ATOMIC_RELAXED);
    for (int round = 0; round < 2; round++)
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        sum++;
    }
    printf("%d\n", sum);
    return 0;
}
