// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// threadprivate: one copy per thread, which keeps its value from region to region of the same size, and is the same
// one in the sequential part. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { limit = 64 };

static int number = 5;
static int buffer[1000];
#pragma omp threadprivate(number, buffer)

static int in_function(int add) {
    static int calls = 100;
#pragma omp threadprivate(calls)
    return calls += add;
}

int main(void) {
    const int wanted = omp_get_max_threads();
    int *addresses[limit] = {0};
    omp_set_dynamic(0);
    number = 7;
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
        EXPECT_EQUAL(number, me == 0 ? 7 : 5);
        number = me + 10;
        buffer[999] = -me;
        addresses[me] = &number;
        EXPECT_EQUAL(in_function(me), 100 + me);
    }
    EXPECT_EQUAL(number, 10);
    EXPECT(addresses[0] == &number);
    for (int i = 0; i < wanted; i++)
        for (int j = 0; j < i; j++)
            EXPECT(addresses[i] != addresses[j]);
    number = 11;
    for (int round = 1; round <= 100; round++) {
#pragma omp parallel
        {
            const int me = omp_get_thread_num();
            EXPECT_EQUAL(omp_get_num_threads(), wanted);
            EXPECT_EQUAL(number, me == 0 ? 10 + round : 10 + me);
            EXPECT_EQUAL(buffer[999], -me);
            EXPECT(addresses[me] == &number);
            EXPECT_EQUAL(in_function(1), 100 + me + round);
        }
        number++;
    }
    return expectations_failed;
}
