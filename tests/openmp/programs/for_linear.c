// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// linear and lastprivate on loops: each iteration has the value that belongs to it, and the last one's value stays.
// Compilers: gcc, clang.
#include "expect.h"

enum { length = 200 };

static int values[length];

int main(void) {
    for (int round = 0; round < 20; round++) {
        int position = 3, stride = 2;
#pragma omp parallel for linear(position : stride) schedule(dynamic, 7)
        for (int i = 0; i < length; i++) {
            values[i] = position;
            position += stride;
        }
        for (int i = 0; i < length; i++)
            EXPECT_EQUAL(values[i], 3 + 2 * i);
        EXPECT_EQUAL(position, 3 + 2 * length);

        long last = -1, given = 5;
#pragma omp parallel for lastprivate(last) firstprivate(given) schedule(static, 3)
        for (int i = 0; i < length; i++)
            last = i + given;
        EXPECT_EQUAL(last, length - 1 + 5);

        // Both clauses on one variable: it starts with the value from outside.
        int both = 100;
#pragma omp parallel for firstprivate(both) lastprivate(both) schedule(dynamic)
        for (int i = 0; i < length; i++)
            both = both < 0 ? both : i + 1000;
        EXPECT_EQUAL(both, length - 1 + 1000);

        // The loop's own variable, and arrays.
        int i, squares[3] = {0};
#pragma omp parallel for lastprivate(i, squares)
        for (i = 0; i < length; i += 3) {
            squares[0] = i;
            squares[2] = i * i;
        }
        EXPECT_EQUAL(i, (length + 2) / 3 * 3);
        EXPECT_EQUAL(squares[0], (length - 1) / 3 * 3);
        EXPECT_EQUAL(squares[2], squares[0] * squares[0]);

        // No iteration: the values stay.
        last = -7;
#pragma omp parallel for lastprivate(last) if (round % 2)
        for (int j = length; j < round % 2; j++)
            last = j;
#pragma omp parallel for simd linear(position) lastprivate(last)
        for (int j = 0; j < length; j++) {
            last = j;
            values[j] = position++;
        }
        EXPECT_EQUAL(last, length - 1);
        EXPECT_EQUAL(values[length - 1], 3 + 2 * length + length - 1);
    }
    return expectations_failed;
}
