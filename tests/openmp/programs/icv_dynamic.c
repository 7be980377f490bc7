// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OMP_DYNAMIC=true: a region gets no more threads than there are processors; a routine changes that.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int size_of_region(int wanted) {
    int size = 0;
#pragma omp parallel num_threads(wanted)
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

int main(void) {
    const int processors = omp_get_num_procs();
    EXPECT(omp_get_dynamic());
    EXPECT_EQUAL(size_of_region(processors + 3), processors);
    EXPECT_EQUAL(size_of_region(1), 1);
    omp_set_dynamic(0);
    EXPECT_EQUAL(size_of_region(processors + 3), processors + 3);
    return expectations_failed;
}
