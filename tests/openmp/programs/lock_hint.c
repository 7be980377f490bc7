// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks with hints: all of them are locks. The library of GCC 12 lacks the functions. Compilers: clang.
#include "expect.h"
#include <omp.h>

enum { turns = 200 };

static void simple(omp_sync_hint_t hint) {
    omp_lock_t lock;
    int count = 0;
    omp_init_lock_with_hint(&lock, hint);
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        omp_set_lock(&lock);
        const int seen = count;
        count = seen + 1;
        omp_unset_lock(&lock);
        if (omp_test_lock(&lock)) {
            count -= 1;
            count += 1;
            omp_unset_lock(&lock);
        }
    }
    EXPECT_EQUAL(count, turns * omp_get_max_threads());
    omp_set_lock(&lock);
    EXPECT(!omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

static void nestable(omp_sync_hint_t hint) {
    omp_nest_lock_t lock;
    int count = 0;
    omp_init_nest_lock_with_hint(&lock, hint);
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        omp_set_nest_lock(&lock);
        EXPECT_EQUAL(omp_test_nest_lock(&lock), 2);
        const int seen = count;
        count = seen + 1;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    EXPECT_EQUAL(count, turns * omp_get_max_threads());
    omp_destroy_nest_lock(&lock);
}

int main(void) {
    const omp_sync_hint_t hints[] = {
        omp_sync_hint_none,        omp_sync_hint_uncontended,
        omp_sync_hint_contended,   omp_sync_hint_nonspeculative,
        omp_sync_hint_speculative, (omp_sync_hint_t)(omp_sync_hint_contended | omp_sync_hint_speculative),
    };
    for (unsigned i = 0; i < sizeof hints / sizeof *hints; i++) {
        simple(hints[i]);
        nestable(hints[i]);
    }
    return expectations_failed;
}
