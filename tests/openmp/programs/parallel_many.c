// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hundreds of short regions of changing sizes, one after another: each has its threads, and what one region has
// written the next one reads. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { regions = 400, limit = 9 };

int main(void) {
    long written[limit] = {0}, total = 0;
    for (int region = 0; region < regions; region++) {
        const int size = 1 + region * 7 % (limit - 1);
        int runs = 0;
#pragma omp parallel num_threads(size) reduction(+ : runs)
        {
            const int me = omp_get_thread_num();
            EXPECT_EQUAL(omp_get_num_threads(), size);
            // Another thread may have written it in the region before.
            written[me]++;
            runs++;
        }
        EXPECT_EQUAL(runs, size);
        total += size;
    }
    for (int i = 0; i < limit; i++)
        total -= written[i];
    EXPECT_EQUAL(total, 0);
    return expectations_failed;
}
