// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction of one and of many variables, of an array, by a user's own operation, with and without nowait. Compilers:
// gcc, clang.
#include "expect.h"

typedef struct {
    long sum;
    int largest;
} statistics;

static statistics join(statistics a, statistics b) {
    statistics joined = {a.sum + b.sum, a.largest > b.largest ? a.largest : b.largest};
    return joined;
}
#pragma omp declare reduction(joined : statistics : omp_out = join(omp_out, omp_in)) initializer(omp_priv = {0, 0})

enum { length = 1000, rounds = 50 };

int main(void) {
    for (int round = 0; round < rounds; round++) {
        long sum = 5, product = 1, bits = 0, both = -1;
        int smallest = length, largest = -1, any = 0, all = 1;
        double real = 0;
        long table[3] = {0, 0, 1};
        statistics own = {0, 0};
        long second = 0;
#pragma omp parallel
        {
#pragma omp for reduction(+ : sum, real) reduction(| : bits) reduction(& : both) reduction(min : smallest)             \
    reduction(max : largest) reduction(|| : any) reduction(&& : all)
            for (int i = 0; i < length; i++) {
                sum += i;
                real += 0.5;
                bits |= 1L << (i % 40);
                both &= ~(1L << (i % 7));
                smallest = i < smallest ? i : smallest;
                largest = i > largest ? i : largest;
                any = any || i == 77;
                all = all && i != 55;
            }
#pragma omp for reduction(* : product) nowait
            for (int i = 1; i <= 20; i++)
                product *= i;
#pragma omp for reduction(+ : table) reduction(joined : own) schedule(dynamic, 10)
            for (int i = 0; i < length; i++) {
                table[i % 3] += i;
                own.sum += i;
                own.largest = i > own.largest ? i : own.largest;
            }
#pragma omp for reduction(+ : second)
            for (int i = 0; i < length; i++)
                second += product % 1000 + table[2] % 7;
        }
        EXPECT_EQUAL(sum, 5 + length * (length - 1) / 2);
        EXPECT(real == length * 0.5);
        EXPECT_EQUAL(bits, (1L << 40) - 1);
        EXPECT_EQUAL(both, ~127L);
        EXPECT_EQUAL(smallest, 0);
        EXPECT_EQUAL(largest, length - 1);
        EXPECT(any && !all);
        EXPECT_EQUAL(product, 2432902008176640000);
        EXPECT_EQUAL(table[0] + table[1] + table[2], 1 + length * (length - 1) / 2);
        EXPECT_EQUAL(own.sum, length * (length - 1) / 2);
        EXPECT_EQUAL(own.largest, length - 1);
        EXPECT_EQUAL(second, length * (product % 1000 + table[2] % 7));
    }
    return expectations_failed;
}
