// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel with reduction clauses: of several variables, in nested regions, in a region with one thread.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static void many_variables(void) {
    int team = 0, smallest = 1000, largest = -1, any = 0, all = 1;
    unsigned bits = 0, both = ~0U, odd = 0;
    long sum = 100, product = 1;
    double real = 0.25;
#pragma omp parallel reduction(+ : sum, real, team) reduction(* : product) reduction(| : bits) reduction(& : both)     \
    reduction(^ : odd) reduction(min : smallest) reduction(max : largest) reduction(|| : any) reduction(&& : all)
    {
        const int me = omp_get_thread_num();
        team++;
        sum += me;
        real += 0.5;
        product *= 3;
        bits |= 1U << me;
        both &= ~(1U << me);
        odd ^= 1;
        smallest = me;
        largest = me;
        any = any || me == 0;
        all = all && me != 0;
    }
    EXPECT_EQUAL(team, omp_get_max_threads());
    EXPECT_EQUAL(sum, 100 + team * (team - 1) / 2);
    EXPECT(real == 0.25 + 0.5 * team);
    long expected = 1;
    for (int i = 0; i < team; i++)
        expected *= 3;
    EXPECT_EQUAL(product, expected);
    EXPECT_EQUAL(bits, (1U << team) - 1);
    EXPECT_EQUAL(both, ~((1U << team) - 1));
    EXPECT_EQUAL(odd, team % 2);
    EXPECT_EQUAL(smallest, 0);
    EXPECT_EQUAL(largest, team - 1);
    EXPECT_EQUAL(any, 1);
    EXPECT_EQUAL(all, 0);
}

static void nested(void) {
    int sum = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
        int inner = 10;
#pragma omp parallel num_threads(3) reduction(+ : inner)
        inner += omp_get_thread_num();
        EXPECT_EQUAL(inner, 13);
        sum += inner;
    }
    EXPECT_EQUAL(sum, 26);
    sum = 7;
#pragma omp parallel if (0) reduction(+ : sum)
    sum += 5;
    EXPECT_EQUAL(sum, 12);
}

int main(void) {
    for (int round = 0; round < 40; round++)
        many_variables();
    nested();
    return expectations_failed;
}
