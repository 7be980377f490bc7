// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// target regions without a device: they run on the host, with the program's own variables, and firstprivate copies of
// all sizes. thread_limit, if and device; a parallel region inside; and regions inside of a parallel region.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { size = 100 };
struct large {
    int values[40];
};

static int triple(int value) {
    int result = 0;
#pragma omp target map(from : result) firstprivate(value)
    {
        value *= 3;
        result = value;
    }
    return result;
}

int main(void) {
    int array[size], sum = 0, one = 1;
    char small = 2;
    struct large copy;
    for (int i = 0; i < size; i++)
        array[i] = i;
    for (int i = 0; i < 40; i++)
        copy.values[i] = i;
#pragma omp target map(tofrom : array, sum) firstprivate(one, small, copy)
    {
        for (int i = 0; i < size; i++) {
            array[i] += one;
            sum += array[i];
        }
        one = 7;
        small = 8;
        for (int i = 0; i < 40; i++)
            copy.values[i] = -1;
        EXPECT(omp_is_initial_device());
    }
    EXPECT_EQUAL(sum, size * (size + 1) / 2);
    EXPECT_EQUAL(array[size - 1], size);
    EXPECT_EQUAL(one, 1);
    EXPECT_EQUAL(small, 2);
    for (int i = 0; i < 40; i++)
        EXPECT_EQUAL(copy.values[i], i);
    EXPECT_EQUAL(triple(5), 15);

    int limit = 0, others = 0;
#pragma omp target map(from : limit) thread_limit(1 + one)
    limit = omp_get_thread_limit();
    EXPECT_EQUAL(limit, 2);
    EXPECT(omp_get_thread_limit() > 2);
#pragma omp target if (one == 0) map(from : others)
    others = 1;
#pragma omp target device(omp_get_initial_device()) map(tofrom : others)
    others += 2;
    EXPECT_EQUAL(others, 3);

    int runs = 0, threads = 0;
#pragma omp target map(tofrom : runs, threads)
#pragma omp parallel
    {
#pragma omp atomic
        runs++;
#pragma omp single
        threads = omp_get_num_threads();
    }
    EXPECT_EQUAL(threads, omp_get_max_threads());
    EXPECT_EQUAL(runs, threads);

    int regions = 0;
#pragma omp parallel num_threads(4)
    {
        const int me = omp_get_thread_num();
#pragma omp target map(tofrom : regions)
#pragma omp atomic
        regions++;
        EXPECT_EQUAL(omp_get_thread_num(), me);
        EXPECT_EQUAL(omp_get_num_threads(), 4);
    }
    EXPECT_EQUAL(regions, 4);
    return expectations_failed;
}
