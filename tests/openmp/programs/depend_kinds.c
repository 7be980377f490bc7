// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task depend: in, out, inout, mutexinoutset; on variables, elements and sections; with iterators and depend objects;
// taskwait with depend. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { length = 30 };

static void chains(void) {
    int table[length] = {0}, reads = 0;
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < length; i++) {
#pragma omp task depend(inout : table[i]) shared(table)
            {
                EXPECT_EQUAL(table[i], 2 * round);
                table[i]++;
            }
#pragma omp task depend(in : table[i]) shared(table, reads)
            {
                EXPECT_EQUAL(table[i], 2 * round + 1);
#pragma omp atomic
                reads++;
            }
#pragma omp task depend(in : table[i]) shared(table)
            EXPECT_EQUAL(table[i], 2 * round + 1);
#pragma omp task depend(out : table[i]) shared(table)
            table[i]++;
        }
    for (int i = 0; i < length; i++)
        EXPECT_EQUAL(table[i], 20);
    EXPECT_EQUAL(reads, 10 * length);
}

// Several variables at once: the triangle of binomial coefficients.
static void from_neighbours(void) {
    static long table[length][length];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < length; i++)
        for (int j = 0; j <= i; j++) {
            if (j == 0 || j == i) {
#pragma omp task depend(out : table[i][j])
                table[i][j] = 1;
            } else {
#pragma omp task depend(in : table[i - 1][j - 1], table[i - 1][j]) depend(out : table[i][j])
                table[i][j] = table[i - 1][j - 1] + table[i - 1][j];
            }
        }
    EXPECT_EQUAL(table[length - 1][14], 77558760);
}

static void exclusive(void) {
    int value = 0, inside = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : value) shared(value)
        value = 100;
        for (int i = 0; i < 50; i++) {
#pragma omp task depend(mutexinoutset : value) shared(value, inside)
            {
                EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
                value++;
                __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
            }
        }
#pragma omp task depend(in : value) shared(value)
        EXPECT_EQUAL(value, 150);
    }
    EXPECT_EQUAL(value, 150);
}

static void iterators(int many) {
    int table[length] = {0}, sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 0; i < many; i++) {
#pragma omp task depend(out : table[i]) shared(table)
            table[i] = i;
        }
#pragma omp task depend(iterator(int i = 0 : many), in : table[i]) shared(table, sum)
        for (int i = 0; i < many; i++)
            sum += table[i];
#pragma omp task depend(iterator(int i = 0 : many : 2), inout : table[i]) shared(table)
        for (int i = 0; i < many; i += 2)
            table[i] += 1000;
#pragma omp task depend(in : table[0 : 1]) shared(table)
        EXPECT_EQUAL(table[0], 1000);
    }
    EXPECT_EQUAL(sum, many * (many - 1) / 2);
}

static void objects(void) {
    int first = 0, second = 0;
    omp_depend_t of_first, of_second;
#pragma omp depobj(of_first) depend(inout : first)
#pragma omp depobj(of_second) depend(in : second)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj : of_first) shared(first)
        first = 1;
#pragma omp task depend(out : second) shared(second)
        second = 2;
#pragma omp task depend(depobj : of_first, of_second) shared(first, second)
        {
            EXPECT_EQUAL(first, 1);
            EXPECT_EQUAL(second, 2);
            first = 3;
        }
#pragma omp task depend(in : first) shared(first)
        EXPECT_EQUAL(first, 3);
#pragma omp taskwait
#pragma omp depobj(of_second) update(out)
#pragma omp task depend(depobj : of_second) shared(second)
        second = 4;
#pragma omp task depend(in : second) shared(second)
        EXPECT_EQUAL(second, 4);
    }
    // Clang 19 refuses both ways to write it.
#ifndef __clang__
#pragma omp depobj(of_first) destroy
#pragma omp depobj(of_second) destroy
#endif
}

static void wait_for_one(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; i++) {
        int value = 0, other = 0;
#pragma omp task depend(out : value) shared(value)
        value = 1;
#pragma omp task depend(out : other) shared(other)
        other = 1;
#pragma omp taskwait depend(in : value)
        EXPECT_EQUAL(value, 1);
#pragma omp taskwait depend(inout : value, other)
        EXPECT_EQUAL(other, 1);
    }
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        chains();
        from_neighbours();
        exclusive();
        iterators(length);
        iterators(1);
        objects();
        wait_for_one();
    }
    return expectations_failed;
}
