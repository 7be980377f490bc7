// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The system refuses threads: all, then all but two. The region runs with those that there are, and the routines tell
// their number; a region of one thread is not active. Compilers: gcc, clang.
#define _GNU_SOURCE
#include "expect.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <unistd.h>

static int allowed, has_refused;

// In front of the system's, for the runtime, too.
int pthread_create(pthread_t *made, const pthread_attr_t *how, void *(*run)(void *), void *argument) {
    int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (__atomic_fetch_sub(&allowed, 1, __ATOMIC_RELAXED) > 0)
        return real(made, how, run, argument);
    __atomic_store_n(&has_refused, 1, __ATOMIC_RELAXED);
    return EAGAIN;
}

static void region_of(int threads) {
    int came = 0, rounds = 0;
#pragma omp parallel num_threads(4)
    {
        EXPECT_EQUAL(omp_get_num_threads(), threads);
        EXPECT_EQUAL(omp_get_team_size(1), threads);
        EXPECT_EQUAL(omp_get_level(), 1);
        EXPECT_EQUAL(omp_get_active_level(), threads > 1);
        EXPECT_EQUAL(omp_in_parallel(), threads > 1);
#pragma omp atomic
        came++;
#pragma omp barrier
        EXPECT_EQUAL(came, threads);
#pragma omp for schedule(dynamic) reduction(+ : rounds)
        for (int i = 0; i < 100; i++)
            rounds++;
    }
    EXPECT_EQUAL(rounds, 100);
}

int main(void) {
    // The runtime warns, once.
    int errors = dup(STDERR_FILENO), nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDERR_FILENO);
    region_of(1);
    dup2(errors, STDERR_FILENO);
    EXPECT(has_refused);
    region_of(1);
    allowed = 2;
    region_of(3);
    region_of(3);
    return expectations_failed;
}
