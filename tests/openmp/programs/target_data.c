// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// target data, enter data, exit data and update, also with use_device_ptr, depend and nowait. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { size = 64 };

int main(void) {
    int values[size] = {0}, *first = values;
#pragma omp target data map(tofrom : values) use_device_ptr(first)
    {
#pragma omp target is_device_ptr(first)
        first[1] = 11;
#pragma omp target
        values[2] = 12;
#pragma omp target update from(values)
        EXPECT_EQUAL(values[2], 12);
        values[3] = 13;
#pragma omp target update to(values[3 : 1])
#pragma omp target
        values[3]++;
    }
    EXPECT_EQUAL(values[1], 11);
    EXPECT_EQUAL(values[3], 14);

#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task depend(out : values) shared(values)
        values[4] = i;
#pragma omp target enter data map(to : values) depend(inout : values) nowait
#pragma omp target map(alloc : values) depend(inout : values) nowait
        values[4] += 1;
#pragma omp target update from(values) depend(inout : values) nowait
#pragma omp target exit data map(from : values) depend(inout : values)
#pragma omp taskwait
        EXPECT_EQUAL(values[4], i + 1);
    }
    return expectations_failed;
}
