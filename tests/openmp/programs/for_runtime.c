// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for schedule(runtime) with every kind that omp_set_schedule knows: schedule(auto) and LLVM's extension (101,
// trapezoidal) are among them. Compilers: gcc, clang.
#define LOOP_CLAUSE schedule(runtime)
#include "loop_kinds.h"
#include <omp.h>

int main(void) {
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto,
                                        (omp_sched_t)101};
    for (unsigned i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int chunk = 0; chunk <= 5; chunk += 5) {
            omp_set_schedule(kinds[i], chunk);
            check_all_types();
        }
    return expectations_failed;
}
