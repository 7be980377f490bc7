// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic in all its forms: read, write, update, capture before and after, swap. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { turns = 1000 };

static void update(void) {
    int up = 0, down = 0, sum = 0, reversed = 0;
    unsigned bits = 0, flips = 0;
    long product = 1;
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
#pragma omp atomic
        up++;
#pragma omp atomic update
        ++up;
#pragma omp atomic
        down--;
#pragma omp atomic
        --down;
#pragma omp atomic
        sum += 3;
#pragma omp atomic update
        sum = sum - 1;
#pragma omp atomic
        reversed = 1 + reversed;
#pragma omp atomic
        reversed = 1 - reversed;
#pragma omp atomic
        bits |= 1U << (i % 32);
#pragma omp atomic
        flips ^= 1U << (i % 32);
        if (i < 3) {
#pragma omp atomic
            product *= 2;
        }
    }
    const int all = turns * omp_get_max_threads();
    EXPECT_EQUAL(up, 2 * all);
    EXPECT_EQUAL(down, -2 * all);
    EXPECT_EQUAL(sum, 2 * all);
    EXPECT(reversed >= 1 - all && reversed <= all);
    EXPECT_EQUAL(bits, ~0U);
    unsigned expected = 0;
    for (int i = 0; i < all; i++)
        expected ^= 1U << (i % turns % 32);
    EXPECT_EQUAL(flips, expected);
    EXPECT_EQUAL(product, 1L << (3 * omp_get_max_threads()));
}

// Every value is captured by exactly one thread.
static void capture(void) {
    enum { most = 8 * turns };
    static int seen[7][most + 1];
    int counter[7] = {0};
    for (int form = 0; form < 7; form++)
        for (int i = 0; i <= most; i++)
            seen[form][i] = 0;
#pragma omp parallel num_threads(4)
    for (int i = 0; i < turns; i++) {
        int value;
#pragma omp atomic capture
        value = counter[0]++;
        seen[0][value]++;
#pragma omp atomic capture
        value = ++counter[1];
        seen[1][value - 1]++;
#pragma omp atomic capture
        value = counter[2] += 1;
        seen[2][value - 1]++;
#pragma omp atomic capture
        {
            value = counter[3];
            counter[3] = counter[3] + 1;
        }
        seen[3][value]++;
#pragma omp atomic capture
        {
            counter[4] += 1;
            value = counter[4];
        }
        seen[4][value - 1]++;
#pragma omp atomic capture
        value = counter[5] = 1 + counter[5];
        seen[5][value - 1]++;
#pragma omp atomic capture
        {
            value = counter[6];
            counter[6]++;
        }
        seen[6][value]++;
    }
    for (int form = 0; form < 7; form++) {
        EXPECT_EQUAL(counter[form], 4 * turns);
        for (int i = 0; i <= most; i++)
            EXPECT_EQUAL(seen[form][i], i < 4 * turns);
    }
}

// What one thread puts in, one thread takes out.
static void swap(void) {
    long cell = 0, put = 0, taken = 0;
#pragma omp parallel reduction(+ : put, taken)
    for (int i = 1; i <= turns; i++) {
        long before;
        const long mine = i * 100L + omp_get_thread_num();
#pragma omp atomic capture
        {
            before = cell;
            cell = mine;
        }
        put += mine;
        taken += before;
    }
    EXPECT_EQUAL(put, taken + cell);
}

// A reader sees only values that were written as a whole.
static void read_and_write(void) {
    unsigned long long cell = 0;
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        unsigned long long value;
        const unsigned long long half = (unsigned)(i * 16 + omp_get_thread_num());
#pragma omp atomic read
        value = cell;
        EXPECT_EQUAL(value >> 32, value & 0xffffffff);
#pragma omp atomic write
        cell = half << 32 | half;
    }
}

int main(void) {
    update();
    capture();
    swap();
    read_and_write();
    return expectations_failed;
}
