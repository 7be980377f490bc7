// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simple locks: one task holds them at a time, omp_test_lock says whether it got the lock, and what one holder has
// written the next one reads. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <sched.h>

enum { turns = 300, count = 16 };

static omp_lock_t lock;

static void exclusion(void) {
    int inside = 0, by_waiting = 0, by_testing = 0, failures = 0;
    omp_init_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        omp_set_lock(&lock);
        EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
        by_waiting++;
        sched_yield();
        __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
        omp_unset_lock(&lock);

        while (!omp_test_lock(&lock)) {
#pragma omp atomic
            failures++;
            sched_yield();
        }
        EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
        by_testing++;
        __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    EXPECT_EQUAL(by_waiting, turns * omp_get_max_threads());
    EXPECT_EQUAL(by_testing, turns * omp_get_max_threads());
    EXPECT(failures >= 0);
}

static void test_of_a_held_lock(void) {
    int got = 0;
    omp_init_lock(&lock);
    omp_set_lock(&lock);
    EXPECT(!omp_test_lock(&lock));
#pragma omp parallel reduction(+ : got)
    got += omp_test_lock(&lock);
    EXPECT_EQUAL(got, 0);
    omp_unset_lock(&lock);
    EXPECT(omp_test_lock(&lock));
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);
}

// Two locks are held at a time, always in the same order.
static void many_locks(void) {
    static omp_lock_t locks[count];
    int values[count] = {0}, sum = 0;
    for (int i = 0; i < count; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < turns * 4; i++) {
        const int first = i % (count - 1), second = first + 1 + i / count % (count - 1 - first);
        omp_set_lock(&locks[first]);
        omp_set_lock(&locks[second]);
        values[first]++;
        values[second]++;
        omp_unset_lock(&locks[first]);
        omp_unset_lock(&locks[second]);
    }
    for (int i = 0; i < count; i++) {
        sum += values[i];
        omp_destroy_lock(&locks[i]);
    }
    EXPECT_EQUAL(sum, 2 * 4 * turns);
}

// Many tasks, few threads: a task that waits for the lock must not keep its holder from going on.
static void in_tasks(void) {
    int total = 0;
    omp_init_lock(&lock);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < turns; i++) {
#pragma omp task shared(total)
        {
            omp_set_lock(&lock);
            total++;
            omp_unset_lock(&lock);
        }
    }
    EXPECT_EQUAL(total, turns);
    omp_destroy_lock(&lock);
}

int main(void) {
    exclusion();
    test_of_a_held_lock();
    many_locks();
    in_tasks();
    return expectations_failed;
}
