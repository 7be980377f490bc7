// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OMP_PROC_BIND=spread,primary,close: a policy for each level. A clause replaces it for its region and, where the list
// has ended, for those inside. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

int main(void) {
    EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_spread);
    EXPECT(omp_get_max_active_levels() > 2);
#pragma omp parallel num_threads(2)
    {
        EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_master);
        const int mine = omp_get_place_num();
#pragma omp parallel num_threads(2)
        {
            EXPECT_EQUAL(omp_get_place_num(), mine);
            EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_close);
#pragma omp parallel num_threads(1) proc_bind(spread)
            EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_spread);
#pragma omp parallel num_threads(1)
            EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_close);
        }
    }
#pragma omp parallel num_threads(2) proc_bind(close)
    EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_master);
    return expectations_failed;
}
