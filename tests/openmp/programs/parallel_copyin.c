// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadprivate data that copyin gives to every thread: numbers, arrays, structures. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

typedef struct {
    int first;
    double second[4];
} record;

static int number = 3;
static int table[100];
static record structure;
#pragma omp threadprivate(number, table, structure)

static void check_all(int value) {
    EXPECT_EQUAL(number, value);
    for (int i = 0; i < 100; i++)
        EXPECT_EQUAL(table[i], value + i);
    EXPECT_EQUAL(structure.first, -value);
    EXPECT(structure.second[3] == value * 0.5);
}

static void store_all(int value) {
    number = value;
    for (int i = 0; i < 100; i++)
        table[i] = value + i;
    structure.first = -value;
    structure.second[3] = value * 0.5;
}

int main(void) {
    for (int round = 1; round <= 50; round++) {
        store_all(round);
#pragma omp parallel copyin(number, table, structure)
        {
            check_all(round);
            // A thread's own changes stay its own.
            store_all(1000 + omp_get_thread_num());
#pragma omp barrier
            check_all(1000 + omp_get_thread_num());
        }
        check_all(1000);
    }
    // if(0): the only thread keeps its own values.
    store_all(77);
#pragma omp parallel copyin(number, table, structure) if (number < 0)
    check_all(77);
    // A loop whose copies are given in the combined construct.
    int wrong = 0;
#pragma omp parallel for copyin(number) reduction(+ : wrong)
    for (int i = 0; i < 100; i++)
        wrong += number != 77;
    EXPECT_EQUAL(wrong, 0);
    return expectations_failed;
}
