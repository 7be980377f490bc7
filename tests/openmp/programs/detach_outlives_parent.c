// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A detached task ends after the task that made it. The end of the region waits for it, and for a task that depends on
// it, also in a region of one thread; so does the end of a thread that has made one outside of all regions.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>

static omp_event_handle_t outer_event, inner_event;
static int may_fulfil, outer_has_ended, inner_dependents;

// Fulfils the inner event after the outer task has ended.
static void *fulfil_both(void *unused) {
    while (!__atomic_load_n(&may_fulfil, __ATOMIC_ACQUIRE))
        sched_yield();
    omp_fulfill_event(outer_event);
    while (!__atomic_load_n(&outer_has_ended, __ATOMIC_ACQUIRE))
        sched_yield();
    omp_fulfill_event(inner_event);
    return unused;
}

static void run_region(int threads) {
    may_fulfil = outer_has_ended = inner_dependents = 0;
    pthread_t other;
    pthread_create(&other, NULL, fulfil_both, NULL);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
        omp_event_handle_t outer = outer_event;
#pragma omp task detach(outer) depend(out : may_fulfil)
        {
            omp_event_handle_t inner = inner_event;
            outer_event = outer;
#pragma omp task detach(inner) depend(out : inner_event)
            {
            }
            inner_event = inner;
#pragma omp task depend(in : inner_event)
            __atomic_fetch_add(&inner_dependents, 1, __ATOMIC_RELAXED);
            __atomic_store_n(&may_fulfil, 1, __ATOMIC_RELEASE);
        }
#pragma omp task depend(in : may_fulfil)
        __atomic_store_n(&outer_has_ended, 1, __ATOMIC_RELEASE);
    }
    EXPECT_EQUAL(inner_dependents, 1);
    pthread_join(other, NULL);
}

static void *make_a_task_and_end(void *unused) {
    omp_event_handle_t inner = inner_event;
#pragma omp task detach(inner) depend(out : inner_event)
    {
    }
    inner_event = inner;
#pragma omp task depend(in : inner_event)
    inner_dependents = 1;
    __atomic_store_n(&outer_has_ended, 1, __ATOMIC_RELEASE);
    return unused;
}
static void run_thread(void) {
    inner_dependents = outer_has_ended = 0;
    pthread_t other;
    pthread_create(&other, NULL, make_a_task_and_end, NULL);
    while (!__atomic_load_n(&outer_has_ended, __ATOMIC_ACQUIRE))
        sched_yield();
    omp_fulfill_event(inner_event);
    pthread_join(other, NULL);
    EXPECT_EQUAL(inner_dependents, 1);
}

int main(void) {
    for (int round = 0; round < 100; round++) {
        run_region(1);
        run_region(2);
        run_thread();
    }
    return expectations_failed;
}
