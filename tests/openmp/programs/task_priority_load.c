// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Priorities under load: tasks of low priority end although tasks of high priority keep coming, each made by the one
// before; and waits for low ones end as well. programs.txt sets OMP_MAX_TASK_PRIORITY. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { chains = 16, length = 2000, low_tasks = 5000 };
static int low, high;

static void chain(int left) {
#pragma omp atomic
    high++;
    if (left > 1) {
#pragma omp task priority(9) firstprivate(left)
        chain(left - 1);
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single nowait
        for (int i = 0; i < low_tasks; i++) {
#pragma omp task priority(i % 3)
#pragma omp atomic
            low++;
        }
#pragma omp for nowait
        for (int i = 0; i < chains; i++) {
#pragma omp task priority(9)
            chain(length);
        }
#pragma omp taskwait
#pragma omp single nowait
        {
            int waited = 0;
#pragma omp task priority(0) shared(waited)
            waited = 1;
#pragma omp taskwait
            EXPECT_EQUAL(waited, 1);
        }
    }
    EXPECT_EQUAL(low, low_tasks);
    EXPECT_EQUAL(high, chains * length);
    return expectations_failed;
}
