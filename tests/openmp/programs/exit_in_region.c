// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exit() inside of a region, on any of its threads, in a task, in a critical section or in a loop, ends the process
// with its status: no thread is waited for, and functions that were registered with atexit() may still use OpenMP.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_openmp_at_exit(void) {
    int sum = 0;
#pragma omp parallel num_threads(1) reduction(+ : sum)
    sum += 1;
    if (sum != 1)
        _exit(99);
}

static void exit_by_kind(int kind) {
#pragma omp parallel
    {
        const int last = omp_get_num_threads() - 1;
        switch (kind) {
        case 0:
            if (omp_get_thread_num() == 0)
                exit(40);
            break;
        case 1:
            if (omp_get_thread_num() == last)
                exit(41);
            break;
        case 2:
#pragma omp single
#pragma omp task
            exit(42);
            break;
        case 3:
#pragma omp critical
            exit(43);
            break;
        case 4:
#pragma omp for schedule(dynamic, 1) ordered
            for (int i = 0; i < 100; i++) {
#pragma omp ordered
                if (i == 50)
                    exit(44);
            }
            break;
        case 5:
#pragma omp parallel num_threads(2)
            if (omp_get_thread_num() == 0)
#pragma omp critical(inner)
                exit(45);
            break;
        }
#pragma omp barrier
    }
    _exit(1);
}

int main(void) {
    omp_set_max_active_levels(2);
    for (int round = 0; round < 30; round++) {
        const pid_t child = fork();
        if (child == 0) {
            if (round % 2 == 1)
                atexit(use_openmp_at_exit);
            exit_by_kind(round % 6);
        }
        int status = -1;
        EXPECT_EQUAL(waitpid(child, &status, 0), child);
        EXPECT(WIFEXITED(status));
        EXPECT_EQUAL(WEXITSTATUS(status), 40 + round % 6);
    }
    return expectations_failed;
}
