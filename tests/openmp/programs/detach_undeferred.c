// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task detach with if(0), and with depend: a taskwait after an undeferred task waits for its event, which the task
// itself or a thread of the program fulfils; and a task that depends on a detached one begins after the event. GCC's
// runtime lets the thread that meets the undeferred task itself wait for the event, and so do its calls here; LLVM's
// goes on when the task's block has ended.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <pthread.h>
#include <sched.h>

struct handed {
    omp_event_handle_t event;
    int *value;
};

// Fulfils the event after a while, and sets the value before.
static void *fulfil_later(void *argument) {
    const struct handed *const given = argument;
    for (int i = 0; i < 100; i++)
        sched_yield();
    __atomic_store_n(given->value, 1, __ATOMIC_RELAXED);
    omp_fulfill_event(given->event);
    return NULL;
}

int main(void) {
    for (int round = 0; round < 50; round++) {
#pragma omp parallel
#pragma omp single
        {
            int value = 0, after = 0, x = 0;
            struct handed given = {0, &value};
            pthread_t thread;
            omp_event_handle_t event;
#pragma omp task if (0) detach(event) shared(given, thread)
            {
                given.event = event;
                EXPECT_EQUAL(pthread_create(&thread, NULL, fulfil_later, &given), 0);
            }
#ifdef __clang__
#pragma omp taskwait
#endif
            EXPECT_EQUAL(__atomic_load_n(&value, __ATOMIC_RELAXED), 1);
            pthread_join(thread, NULL);

#pragma omp task if (0) detach(event) shared(after)
            {
                after = 1;
                omp_fulfill_event(event);
            }
            EXPECT_EQUAL(after, 1);

            value = 0;
            after = 0;
#pragma omp task detach(event) depend(out : x) shared(given, thread)
            {
                given.event = event;
                EXPECT_EQUAL(pthread_create(&thread, NULL, fulfil_later, &given), 0);
            }
#pragma omp task depend(inout : x) shared(value, after)
            after = __atomic_load_n(&value, __ATOMIC_RELAXED);
#pragma omp task if (0) depend(in : x) shared(after)
            EXPECT_EQUAL(after, 1);
#pragma omp taskwait
            EXPECT_EQUAL(after, 1);
            pthread_join(thread, NULL);
            EXPECT_EQUAL(x, 0);
        }
    }
    return expectations_failed;
}
