// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// depend(inoutset) and omp_all_memory: the tasks of a set run in any order, but after the readers and writers before
// them; a task on all memory waits for all. GCC 12 does not know them. Compilers: clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    for (int round = 0; round < 50; round++) {
        int value = 0, sum = 0, other = 0, last = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : value) shared(value)
            value = 1;
            for (int i = 0; i < 10; i++) {
#pragma omp task depend(inoutset : value) shared(value, sum)
                {
                    EXPECT_EQUAL(value, 1);
#pragma omp atomic
                    sum++;
                }
            }
#pragma omp task depend(in : value) shared(value, sum)
            EXPECT_EQUAL(sum, 10);
#pragma omp task depend(out : value) shared(value, sum)
            value = sum;
#pragma omp task depend(out : other) shared(other)
            other = 5;
#pragma omp task depend(out : omp_all_memory) shared(value, other, last)
            last = value + other;
#pragma omp task depend(in : value) shared(last)
            EXPECT_EQUAL(last, 15);
#pragma omp task depend(inout : other) shared(last)
            EXPECT_EQUAL(last, 15);
        }
        EXPECT_EQUAL(last, 15);
    }
    return expectations_failed;
}
