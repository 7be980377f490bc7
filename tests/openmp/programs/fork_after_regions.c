// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() after regions, tasks and locks were used: parent and child both go on, and so does a child of the child.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static omp_lock_t lock;

static void use_everything(void) {
    const int size = omp_get_max_threads();
    int sum = 0, tasks = 0, locked = 0, iterations = 0;
#pragma omp parallel reduction(+ : sum)
    {
        sum += omp_get_thread_num();
#pragma omp single
        for (int i = 0; i < 100; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 50; i++) {
#pragma omp atomic
            iterations++;
        }
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
    }
    EXPECT_EQUAL(sum, size * (size - 1) / 2);
    EXPECT_EQUAL(tasks, 100);
    EXPECT_EQUAL(locked, size);
    EXPECT_EQUAL(iterations, 50);
}

// Forks a child, which does the same `depth` times more, and waits for it.
static void fork_and_use(int depth) {
    const pid_t child = fork();
    if (child == 0) {
        use_everything();
        if (depth > 1)
            fork_and_use(depth - 1);
        exit(expectations_failed);
    }
    use_everything();
    int status = -1;
    EXPECT_EQUAL(waitpid(child, &status, 0), child);
    EXPECT_EQUAL(status, 0);
}

int main(void) {
    omp_init_lock(&lock);
    for (int round = 0; round < 20; round++) {
        use_everything();
        fork_and_use(3);
    }
    omp_destroy_lock(&lock);
    return expectations_failed;
}
