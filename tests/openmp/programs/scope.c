// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// scope: every thread runs the block, with private variables and reductions, and waits at its end unless it says
// nowait. Clang 19 does not compile it. Compilers: gcc.
#include "expect.h"
#include <omp.h>

int main(void) {
    for (int round = 0; round < 20; round++) {
        int sum = 5, scratch = 1, entered = 0;
        long product = 1;
#pragma omp parallel
        {
#pragma omp scope private(scratch) reduction(+ : sum) reduction(* : product)
            {
                scratch = omp_get_thread_num();
                sum += scratch;
                product *= 2;
            }
            EXPECT_EQUAL(sum, 5 + omp_get_num_threads() * (omp_get_num_threads() - 1) / 2);
            EXPECT_EQUAL(product, 1L << omp_get_num_threads());
#pragma omp scope nowait
            {
#pragma omp atomic
                entered++;
            }
        }
        EXPECT_EQUAL(scratch, 1);
        EXPECT_EQUAL(entered, omp_get_max_threads());
    }
    return expectations_failed;
}
