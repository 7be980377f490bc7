// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction over arrays, sections of arrays, and sections behind pointers whose length is known only at run time.
// Compilers: gcc, clang.
#include "expect.h"
#include <stdlib.h>

enum { length = 1000 };

static void whole_array(void) {
    int histogram[8] = {1, 1, 1, 1, 1, 1, 1, 1};
#pragma omp parallel for reduction(+ : histogram)
    for (int i = 0; i < length; i++)
        histogram[i % 8]++;
    for (int i = 0; i < 8; i++)
        EXPECT_EQUAL(histogram[i], 1 + length / 8);
}

static void section(void) {
    long table[10] = {0};
#pragma omp parallel for reduction(+ : table[2 : 5])
    for (int i = 0; i < length; i++)
        table[2 + i % 5] += i;
    long sum = 0;
    for (int i = 0; i < 10; i++) {
        EXPECT(table[i] == 0 || (i >= 2 && i < 7));
        sum += table[i];
    }
    EXPECT_EQUAL(sum, length * (length - 1) / 2);
}

static void behind_a_pointer(int size) {
    double *table = malloc(size * sizeof *table);
    for (int i = 0; i < size; i++)
        table[i] = 0.5;
#pragma omp parallel for reduction(+ : table[ : size])
    for (int i = 0; i < length; i++)
        table[i % size] += 1;
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += table[i];
    EXPECT(sum == size * 0.5 + length);
    free(table);
}

static void two_dimensions(int rows, int columns) {
    int table[rows][columns];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            table[i][j] = 1 << 20;
#pragma omp parallel for collapse(2) reduction(min : table[ : rows][ : columns])
    for (int i = 0; i < rows * 10; i++)
        for (int j = 0; j < columns; j++)
            table[i % rows][j] = i * columns + j < table[i % rows][j] ? i * columns + j : table[i % rows][j];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            EXPECT_EQUAL(table[i][j], i * columns + j);
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        whole_array();
        section();
        behind_a_pointer(3);
        behind_a_pointer(500);
        two_dimensions(4, 7);
    }
    behind_a_pointer(20000);
    return expectations_failed;
}
