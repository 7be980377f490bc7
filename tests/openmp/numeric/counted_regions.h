// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the threads of the regions that a library opens. GCC's call for a region, GOMP_parallel, is defined in the
// program; libraries find it there before the runtime's. It passes the region on to the runtime.
#pragma once
#ifndef _GNU_SOURCE
#error define _GNU_SOURCE before any header, for RTLD_NEXT
#endif
#include "../programs/expect.h"

#include <dlfcn.h>
#include <pthread.h>

typedef void (*region_function)(void *);

struct counted_region {
    region_function function;
    void *data;
    pthread_t opener;
    int others;
};

// The largest number of threads that have been in one region since this was last 0.
static int most_threads;

static void run_counted(void *argument) {
    struct counted_region *region = argument;
    if (!pthread_equal(pthread_self(), region->opener))
        __atomic_fetch_add(&region->others, 1, __ATOMIC_RELAXED);
    region->function(region->data);
}

void GOMP_parallel(region_function function, void *data, unsigned threads, unsigned flags) {
    typedef void (*parallel_function)(region_function, void *, unsigned, unsigned);
    parallel_function in_runtime = (parallel_function)dlsym(RTLD_NEXT, "GOMP_parallel");
    struct counted_region region = {function, data, pthread_self(), 0};
    in_runtime(run_counted, &region, threads, flags);
    int most = __atomic_load_n(&most_threads, __ATOMIC_RELAXED);
    while (most < region.others + 1 && !__atomic_compare_exchange_n(&most_threads, &most, region.others + 1, 0,
                                                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
}
