// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task detach: the task ends when its function has returned and its event is fulfilled, by a task, by another thread of
// the team or by a thread that OpenMP does not know. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>
#include <stdint.h>

enum { count = 50 };

static omp_event_handle_t event_of(void *argument) {
    return (omp_event_handle_t)(uintptr_t)argument;
}
static void *fulfil(void *argument) {
    omp_fulfill_event(event_of(argument));
    return NULL;
}

static void by_a_task(void) {
    int before = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        omp_event_handle_t event ;
        int value = 0;
#pragma omp task detach(event) depend(out : value) shared(value)
        value = 1;
#pragma omp task firstprivate(event) shared(before)
        {
#pragma omp atomic
            before++;
            omp_fulfill_event(event);
        }
#pragma omp task depend(in : value) shared(value, before)
        {
            int seen;
#pragma omp atomic read
            seen = before;
            EXPECT(seen > 0);
            EXPECT_EQUAL(value, 1);
        }
#pragma omp taskwait
        EXPECT_EQUAL(before, i + 1);
    }
}

static void by_a_stranger(void) {
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
        omp_event_handle_t event ;
        pthread_t stranger;
        int has_run = 0, is_over = 0;
#pragma omp taskgroup
        {
#pragma omp task detach(event) shared(has_run)
            has_run = 1;
            EXPECT_EQUAL(pthread_create(&stranger, NULL, fulfil, (void *)(uintptr_t)event), 0);
#pragma omp task shared(is_over)
            is_over = 1;
        }
        EXPECT_EQUAL(has_run, 1);
        EXPECT_EQUAL(is_over, 1);
        pthread_join(stranger, NULL);
    }
}

// The event is fulfilled by the task itself, before its function returns.
static void by_itself(void) {
    int value = 0;
#pragma omp parallel
#pragma omp single
    {
        omp_event_handle_t event ;
#pragma omp task detach(event) shared(value)
        {
            omp_fulfill_event(event);
            value = 1;
        }
#pragma omp taskwait
        EXPECT_EQUAL(value, 1);
    }
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        by_a_task();
        by_a_stranger();
        by_itself();
    }
    return expectations_failed;
}
