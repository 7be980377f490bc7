// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constructs with reductions over tasks inside each other, again and again: each has copies of its own. Compilers: gcc.
// (Clang 19 does not compile scope.)
#include "expect.h"
#include <omp.h>

enum { rounds = 20 };
static int sum, product, masks;

static void add(int value) {
#pragma omp task in_reduction(+ : sum) in_reduction(^ : masks) in_reduction(- : product)
    {
        sum += value;
        masks ^= 1;
        product -= 2;
    }
}

int main(void) {
    int threads = 0;
#pragma omp parallel
    for (int round = 0; round < rounds; round++) {
#pragma omp scope reduction(task, + : sum)
        {
#pragma omp scope reduction(task, ^ : masks)
            {
#pragma omp scope reduction(task, - : product)
                add(3);
            }
            sum++;
        }
#pragma omp single
        threads = omp_get_num_threads();
    }
    EXPECT_EQUAL(sum, rounds * 4 * threads);
    EXPECT_EQUAL(product, -rounds * 2 * threads);
    EXPECT_EQUAL(masks, rounds * threads % 2);
    return expectations_failed;
}
