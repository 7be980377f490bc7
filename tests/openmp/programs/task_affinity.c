// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task affinity: a hint, also with iterators, that changes nothing. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { blocks = 20, size = 50 };

static int table[blocks][size];

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < blocks; i++) {
#pragma omp task affinity(table[i]) firstprivate(i)
        for (int j = 0; j < size; j++)
            table[i][j] += i;
    }
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < blocks; i += 2) {
#pragma omp task affinity(iterator(int k = i : i + 2) : table[k]) depend(out : table[i]) firstprivate(i)
        for (int j = 0; j < size; j++) {
            table[i][j]++;
            table[i + 1][j]++;
        }
#pragma omp task affinity(table[i][0 : size / 2], table[i + 1]) depend(in : table[i]) firstprivate(i)
        EXPECT_EQUAL(table[i][0] + table[i + 1][size - 1], 2 * i + 3);
    }
    for (int i = 0; i < blocks; i++)
        for (int j = 0; j < size; j++)
            EXPECT_EQUAL(table[i][j], i + 1);
    return expectations_failed;
}
