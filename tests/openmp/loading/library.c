// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library with OpenMP inside, which the loader loads and closes again and again. Compilers: gcc, clang.
#include <omp.h>

static int number;
#pragma omp threadprivate(number)

// Uses what leaves traces in a runtime: regions, tasks, a threadprivate variable, a critical section with a name, a
// lock, a loop. Returns 0, or the number of the check that failed.
int use_openmp(void) {
    int sum = 0, tasks = 0, locked = 0, excluded = 0, iterations = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(3) reduction(+ : sum) shared(tasks, locked, excluded, iterations)
    {
        number = omp_get_thread_num();
        sum += number;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
#pragma omp atomic
            tasks++;
        }
#pragma omp critical(of_the_library)
        excluded++;
        omp_set_lock(&lock);
        locked++;
        omp_unset_lock(&lock);
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 30; i++) {
#pragma omp atomic
            iterations++;
        }
    }
    omp_destroy_lock(&lock);
    return sum != 3 ? 1 : tasks != 20 ? 2 : excluded != 3 ? 3 : locked != 3 ? 4 : iterations != 30 ? 5 : 0;
}
