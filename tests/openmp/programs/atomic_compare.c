// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic compare: the conditional updates of OpenMP 5.1, minimum, maximum and compare-and-swap, with capture.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { turns = 1000 };

int main(void) {
    int smallest = 1 << 30, largest = -1, swapped = 0, owner = -1, winners = 0;
#pragma omp parallel
    {
        const int me = omp_get_thread_num(), size = omp_get_num_threads();
        for (int i = 0; i < turns; i++) {
            const int value = i * size + me;
#pragma omp atomic compare
            if (value < smallest) {
                smallest = value;
            }
#pragma omp atomic compare
            largest = largest < value ? value : largest;
#pragma omp atomic compare
            if (swapped == value) {
                swapped = value + 1;
            }
        }
        int won, before;
#pragma omp atomic compare capture
        {
            won = owner == -1;
            if (won) {
                owner = me;
            }
        }
#pragma omp atomic
        winners += won != 0;
#pragma omp barrier
        if (won)
            EXPECT_EQUAL(owner, me);
        // A number is added by a loop of compare-and-swap.
        int success = 0;
        while (!success) {
            int seen;
#pragma omp atomic read
            seen = winners;
#pragma omp atomic compare capture seq_cst
            {
                before = winners;
                if (winners == seen) {
                    winners = seen + 10;
                }
            }
            success = before == seen;
        }
    }
    EXPECT_EQUAL(smallest, 0);
    EXPECT_EQUAL(largest, turns * omp_get_max_threads() - 1);
    EXPECT(swapped >= 1 && swapped <= turns * omp_get_max_threads());
    EXPECT_EQUAL(winners, 1 + 10 * omp_get_max_threads());
    return expectations_failed;
}
