// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// inoutset, omp_all_memory, and taskwait with depend and nowait.
// Compilers: clang. (GCC 12 knows none of them.)
#include "expect.h"
#include <omp.h>

enum { count = 200, members = 5 };

static void sets(void) {
    int value = 0, seen = 0;
    for (int i = 0; i < count; i++) {
        for (int m = 0; m < members; m++) {
#pragma omp task shared(value) depend(inoutset : value)
            __atomic_fetch_add(&value, 1, __ATOMIC_RELAXED);
        }
#pragma omp task shared(value, seen) depend(in : value)
        {
            EXPECT_EQUAL(value, (i + 1) * members);
            __atomic_fetch_add(&seen, 1, __ATOMIC_RELAXED);
        }
    }
#pragma omp taskwait
    EXPECT_EQUAL(seen, count);
}

static void all_memory(void) {
    int values[4] = {0}, ends = 0;
    for (int i = 0; i < count; i++) {
        for (int v = 0; v < 4; v++) {
#pragma omp task shared(values) depend(inout : values[v])
            values[v]++;
        }
#pragma omp task shared(values, ends) depend(inout : omp_all_memory)
        {
            for (int v = 0; v < 4; v++) {
                EXPECT_EQUAL(values[v], 2 * i + 1);
                values[v]++;
            }
            ends++;
        }
        if (i % 5 == 0) {
#pragma omp task shared(values) depend(out : omp_all_memory) if (0)
            EXPECT_EQUAL(values[3], 2 * i + 2);
        }
    }
#pragma omp taskwait depend(inout : omp_all_memory)
    EXPECT_EQUAL(ends, count);
#pragma omp taskwait
}

// An empty task, which orders others.
static void taskwait_nowait(void) {
    int a = 0, b = 0;
    for (int i = 0; i < count; i++) {
#pragma omp task shared(a) depend(inout : a)
        a++;
#pragma omp taskwait depend(in : a) depend(out : b) nowait
#pragma omp task shared(a, b) depend(in : b)
        EXPECT(__atomic_load_n(&a, __ATOMIC_RELAXED) >= i + 1);
    }
#pragma omp taskwait
    EXPECT_EQUAL(a, count);
}

static void all(void) {
    sets();
    all_memory();
    taskwait_nowait();
}

int main(void) {
    all();
#pragma omp parallel
#pragma omp single
    all();
#pragma omp parallel
    all();
    return expectations_failed;
}
