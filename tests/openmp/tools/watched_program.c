// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program with a known number of events: 3 regions, 10 tasks in one of them, 4 critical sections. With the argument
// `call`, it calls a function that Teff does not have; with `none`, it does not use OpenMP.
#include <stdio.h>
#include <string.h>

void GOACC_declare(void);

int main(int argc, char** argv) {
    int sum = 0;
    if (argc > 1 && strcmp(argv[1], "none") == 0)
        return puts("49") < 0;
    if (argc > 1)
        GOACC_declare();
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
