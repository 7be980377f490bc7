// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks that outlive everything: set, unset and destroyed by functions that run at the end of the process, and after
// the program has given up the runtime's resources. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

static omp_lock_t locks[3];
static omp_nest_lock_t nested;

static void use(omp_lock_t *lock) {
    omp_set_lock(lock);
    EXPECT(!omp_test_lock(lock));
    omp_unset_lock(lock);
    omp_destroy_lock(lock);
}

static void at_exit(void) {
    use(&locks[0]);
    omp_set_nest_lock(&nested);
    EXPECT_EQUAL(omp_test_nest_lock(&nested), 2);
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
    omp_destroy_nest_lock(&nested);
}

__attribute__((destructor)) static void at_unload(void) {
    use(&locks[1]);
    // The status of the process is settled by now.
    if (expectations_failed)
        _exit(1);
}

int main(void) {
    atexit(at_exit);
    for (int i = 0; i < 3; i++)
        omp_init_lock(&locks[i]);
    omp_init_nest_lock(&nested);
#pragma omp parallel
    {
        omp_set_lock(&locks[0]);
        omp_unset_lock(&locks[0]);
    }
    EXPECT_EQUAL(omp_pause_resource_all(omp_pause_hard), 0);
    use(&locks[2]);
    return expectations_failed;
}
