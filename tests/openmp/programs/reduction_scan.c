// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction(inscan) with scan inclusive and exclusive: prefix sums and maxima, with several lengths, in a loop and in
// the combined construct. What Clang 19 makes of it overwrites its stack. Compilers: gcc.
#include "expect.h"

enum { most = 300 };

static void check(int length) {
    long inclusive[most], exclusive[most], largest[most];
    long sum = 10, below = 0, highest = -1;
#pragma omp parallel for reduction(inscan, + : sum)
    for (int i = 0; i < length; i++) {
        sum += i;
#pragma omp scan inclusive(sum)
        inclusive[i] = sum;
    }
#pragma omp parallel for reduction(inscan, + : below)
    for (int i = 0; i < length; i++) {
        exclusive[i] = below;
#pragma omp scan exclusive(below)
        below += 2 * i;
    }
#pragma omp parallel for reduction(inscan, max : highest)
    for (int i = 0; i < length; i++) {
        highest = i * 37 % 101 > highest ? i * 37 % 101 : highest;
#pragma omp scan inclusive(highest)
        largest[i] = highest;
    }
    long expected_sum = 10, expected_below = 0, expected_highest = -1;
    for (int i = 0; i < length; i++) {
        expected_sum += i;
        EXPECT_EQUAL(inclusive[i], expected_sum);
        EXPECT_EQUAL(exclusive[i], expected_below);
        expected_below += 2 * i;
        expected_highest = i * 37 % 101 > expected_highest ? i * 37 % 101 : expected_highest;
        EXPECT_EQUAL(largest[i], expected_highest);
    }
    EXPECT_EQUAL(sum, expected_sum);
    EXPECT_EQUAL(below, expected_below);
    EXPECT_EQUAL(highest, expected_highest);
}

int main(void) {
    for (int round = 0; round < 5; round++)
        for (int length = 1; length <= most; length += length < 20 ? 1 : 93)
            check(length);
    return expectations_failed;
}
