// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The size of the team changes at each of 100,000 regions, and the process does not grow. Compilers: gcc, clang.
#include "expect.h"
#include "resident_memory.h"
#include <omp.h>

enum { regions = 100000 };

static void open_region(int size) {
    int sum = 0, tasks = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
    {
        sum += omp_get_thread_num() + 1;
        if (omp_get_thread_num() == 0) {
#pragma omp task shared(tasks)
            tasks = size;
        }
    }
    EXPECT_EQUAL(sum, size * (size + 1) / 2);
    EXPECT_EQUAL(tasks, size);
}

int main(void) {
    const int most = omp_get_max_threads() < 4 ? omp_get_max_threads() : 4;
    int region = 0;
    for (; region < regions / 10; region++)
        open_region(1 + (region * 7 + region / 3) % most);
    const long before = resident_bytes();
    for (; region < regions; region++)
        open_region(1 + (region * 7 + region / 3) % most);
    EXPECT(resident_bytes() - before < (2L << 20));
    return expectations_failed;
}
