// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of the program, one after the other, make tasks outside all regions, and leave no memory behind. The tasks
// have events, so all of a thread's exist at once. Compilers: gcc, clang.
#include "expect.h"
#include "resident_memory.h"
#include <omp.h>
#include <pthread.h>
#include <stdlib.h>

enum { threads = 300, tasks = 1500 };

static void *make_tasks(void *argument) {
    omp_event_handle_t *const events = malloc(tasks * sizeof *events);
    for (int i = 0; i < tasks; i++) {
        omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) firstprivate(i, events)
        events[i] = event;
    }
    for (int i = 0; i < tasks; i++)
        omp_fulfill_event(events[i]);
#pragma omp taskwait
    free(events);
    return argument;
}

int main(void) {
    long before = 0;
    for (int thread = 0; thread < threads; thread++) {
        pthread_t made;
        if (thread == threads / 10)
            before = resident_bytes();
        EXPECT_EQUAL(pthread_create(&made, NULL, make_tasks, NULL), 0);
        pthread_join(made, NULL);
    }
    EXPECT(resident_bytes() - before < (4L << 20));
    return expectations_failed;
}
