// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Without a wish for binding no thread is bound, whatever proc_bind says. Compilers: gcc, clang.
#include "affinity_helpers.h"
#include "expect.h"
#include <omp.h>

int main(void) {
    cpu_set_t all = current_mask();
    EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_false);
    EXPECT_EQUAL(omp_get_place_num(), -1);
#pragma omp parallel num_threads(3) proc_bind(spread)
    {
        cpu_set_t mine = current_mask();
        EXPECT(CPU_EQUAL(&mine, &all));
        EXPECT_EQUAL(omp_get_place_num(), -1);
        EXPECT_EQUAL(omp_get_proc_bind(), omp_proc_bind_false);
    }
    return expectations_failed;
}
