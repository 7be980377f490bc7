// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// KMP_LIBRARY=serial: all regions have one thread. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    int size = 0;
#pragma omp parallel num_threads(4)
    size += omp_get_num_threads();
    EXPECT_EQUAL(size, 1);
    return expectations_failed;
}
