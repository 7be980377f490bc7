// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// proc_bind: whatever the policy, the whole team runs, and the inner regions know it. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int runs;

static void run(int size) {
    EXPECT_EQUAL(omp_get_num_threads(), size);
#pragma omp atomic
    runs++;
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        runs = 0;
#pragma omp parallel num_threads(3) proc_bind(close)
        run(3);
#pragma omp parallel num_threads(4) proc_bind(spread)
        run(4);
#pragma omp parallel num_threads(2) proc_bind(master)
        run(2);
#pragma omp parallel num_threads(2) proc_bind(primary)
        run(2);
#pragma omp parallel num_threads(2) proc_bind(close)
        {
            run(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
            {
#pragma omp atomic
                runs++;
            }
        }
        EXPECT(runs == 3 + 4 + 2 + 2 + 2 + 2 || runs == 3 + 4 + 2 + 2 + 2 + 4);
    }
    const omp_proc_bind_t bind = omp_get_proc_bind();
    EXPECT(bind >= omp_proc_bind_false && bind <= omp_proc_bind_spread);
    return expectations_failed;
}
