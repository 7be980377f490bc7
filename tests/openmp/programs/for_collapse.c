// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for collapse: every combination of the loops' variables runs once, over signed and unsigned variables of 32 and 64
// bits, with steps of both signs, with empty inner loops, and with bounds that depend on an outer variable.
// Compilers: gcc, clang.
#include "expect.h"
#include <string.h>

enum { most = 20 };
static int runs[most][most][most];

static void expect_runs(int first, int second, int third) {
    for (int i = 0; i < most; i++)
        for (int j = 0; j < most; j++)
            for (int k = 0; k < most; k++)
                EXPECT_EQUAL(runs[i][j][k], i < first && j < second && k < third);
    memset(runs, 0, sizeof runs);
}
static void run(long long i, long long j, long long k) {
    __atomic_fetch_add(&runs[i][j][k], 1, __ATOMIC_RELAXED);
}

static void signed_and_unsigned(void) {
#pragma omp parallel for collapse(2)
    for (int i = -3; i < 4; i++)
        for (int j = 10; j > 0; j--)
            run(i + 3, 10 - j, 0);
    expect_runs(7, 10, 1);
#pragma omp parallel for collapse(3) schedule(dynamic)
    for (unsigned i = 0; i < 5; i++)
        for (unsigned char j = 250; j < 255; j++)
            for (short k = -2; k <= 2; k += 2)
                run(i, j - 250, (k + 2) / 2);
    expect_runs(5, 5, 3);
#pragma omp parallel for collapse(2) schedule(guided)
    for (long long i = -(1LL << 40); i < -(1LL << 40) + 6; i++)
        for (unsigned long long j = ~0ULL - 9; j < ~0ULL; j += 3)
            run(i + (1LL << 40), (j - (~0ULL - 9)) / 3, 0);
    expect_runs(6, 3, 1);
#pragma omp parallel for collapse(3) schedule(static, 4)
    for (int i = 0; i < 4; i++)
        for (long j = 3; j >= 0; j--)
            for (unsigned k = 7; k > 1; k -= 2)
                run(i, 3 - j, (7 - k) / 2);
    expect_runs(4, 4, 3);
}

static void empty_loops(int none) {
    int last_i = -1, last_j = -1, count = 0;
#pragma omp parallel for collapse(2) lastprivate(last_i, last_j) reduction(+ : count)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < none; j++) {
            last_i = i, last_j = j;
            count++;
        }
    EXPECT_EQUAL(count, 0);
#pragma omp parallel for collapse(2) lastprivate(last_i, last_j) reduction(+ : count)
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 6; j++) {
            last_i = i, last_j = j;
            count++;
        }
    EXPECT_EQUAL(count, 30);
    EXPECT_EQUAL(last_i, 4);
    EXPECT_EQUAL(last_j, 5);
}

// The product of the lengths needs more than 32 bits.
static void large(void) {
    long count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count) schedule(static)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 1000; j++)
            count += i + j;
    EXPECT_EQUAL(count, 3 * 999 * 500 + 1000 * 3);
    long long sum = 0;
#pragma omp parallel for collapse(3) reduction(+ : sum) schedule(dynamic, 1 << 20)
    for (long i = 0; i < 1L << 12; i++)
        for (long j = 0; j < 1L << 11; j += 1L << 10)
            for (long k = 0; k < 16; k++)
                sum += k;
    EXPECT_EQUAL(sum, 120LL * 2 << 12);
}

static void triangle(void) {
    int count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count)
    for (int i = 0; i < most; i++)
        for (int j = i; j < most; j++) {
            run(i, j, 0);
            count++;
        }
    EXPECT_EQUAL(count, most * (most + 1) / 2);
    for (int i = 0; i < most; i++)
        for (int j = 0; j < most; j++)
            EXPECT_EQUAL(runs[i][j][0], j >= i);
    memset(runs, 0, sizeof runs);
}

int main(void) {
    volatile int none = 0;
    for (int round = 0; round < 3; round++) {
        signed_and_unsigned();
        empty_loops(none);
        triangle();
    }
    large();
    return expectations_failed;
}
