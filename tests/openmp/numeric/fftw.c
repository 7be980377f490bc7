// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FFTW's plans with OpenMP: complex and real transforms in one to three dimensions, of sizes that are powers of two,
// products of small primes, and primes; many transforms in one plan. A plan with threads must give what a plan of one
// thread gives, some numbers are compared with the sum that defines them, and the transform back must give the input.
// Plans are executed by the main thread, by several threads of the program, and inside of a region.
#define _GNU_SOURCE
#include "counted_regions.h"
#include "results.h"

#include <complex.h>
#include <fftw3.h>
#include <omp.h>

typedef double complex number;

enum { executing = 3 };

static number *array(size_t count) {
    number *made = fftw_alloc_complex(count);
    if (!made) {
        fputs("there is no memory for the transforms\n", stderr);
        exit(2);
    }
    return made;
}

static void expect_near(const number *actual, const number *expected, size_t count, double tolerance,
                        const char *what) {
    double largest = 0, difference = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, cabs(expected[i]));
        if (!(cabs(actual[i] - expected[i]) <= difference))
            difference = cabs(actual[i] - expected[i]);
    }
    if (!(difference <= tolerance * largest)) {
        fprintf(stderr, "%s differs by %g\n", what, difference);
        expectation_failed();
    }
}

// The sum that defines the number `at` of a transform of one dimension.
static number defined(const number *from, int n, long long at) {
    number sum = 0;
    for (long long i = 0; i < n; i++)
        sum += from[i] * cexp(-2 * acos(-1.) * I * (double)(i * at % n) / n);
    return sum;
}

// `many` transforms, one behind the other, of `rank` dimensions.
static void transform(const char *name, int rank, const int *sizes, int many, int threads) {
    size_t one = 1;
    for (int i = 0; i < rank; i++)
        one *= sizes[i];
    const size_t all = one * many;
    number *from = array(all), *to = array(all), *alone = array(all), *back = array(all);
    fill((double *)from, 2 * all, 5);

    fftw_plan_with_nthreads(threads);
    fftw_plan forward = fftw_plan_many_dft(rank, sizes, many, from, NULL, 1, one, to, NULL, 1, one, FFTW_FORWARD,
                                           FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_plan backward = fftw_plan_many_dft(rank, sizes, many, to, NULL, 1, one, back, NULL, 1, one, FFTW_BACKWARD,
                                            FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_plan_with_nthreads(1);
    fftw_plan reference = fftw_plan_many_dft(rank, sizes, many, from, NULL, 1, one, alone, NULL, 1, one, FFTW_FORWARD,
                                             FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_execute(forward);
    fftw_execute(reference);
    fftw_execute(backward);
    for (size_t i = 0; i < all; i++)
        back[i] /= (double)one;
    expect_near(to, alone, all, 1e-13, name);
    expect_near(back, from, all, 1e-13, name);
    if (rank == 1)
        for (int i = 0; i < 5; i++) {
            const long long at = (long long)(one - 1) * i / 4;
            const number sum = defined(from, sizes[0], at);
            EXPECT(cabs(to[at] - sum) <= 1e-10 * sqrt((double)one));
        }
    result(name, (double *)to, 2 * all, 1e-14);
    fftw_destroy_plan(forward), fftw_destroy_plan(backward), fftw_destroy_plan(reference);
    fftw_free(from), fftw_free(to), fftw_free(alone), fftw_free(back);
}

static void transform_real(int rows, int columns, int threads) {
    const size_t all = (size_t)rows * columns, half = (size_t)rows * (columns / 2 + 1);
    double *from = fftw_alloc_real(all), *back = fftw_alloc_real(all);
    number *to = array(half), *alone = array(half);
    fill(from, all, 6);
    fftw_plan_with_nthreads(threads);
    fftw_plan forward = fftw_plan_dft_r2c_2d(rows, columns, from, to, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_plan_with_nthreads(1);
    fftw_plan reference = fftw_plan_dft_r2c_2d(rows, columns, from, alone, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_execute(forward);
    fftw_execute(reference);
    expect_near(to, alone, half, 1e-13, "real");
    result("real", (double *)to, 2 * half, 1e-14);
    // The way back writes over its input.
    fftw_plan_with_nthreads(threads);
    fftw_plan backward = fftw_plan_dft_c2r_2d(rows, columns, alone, back, FFTW_ESTIMATE);
    fftw_execute(backward);
    for (size_t i = 0; i < all; i++)
        EXPECT(fabs(back[i] / (double)all - from[i]) < 1e-13);
    fftw_destroy_plan(forward), fftw_destroy_plan(backward), fftw_destroy_plan(reference);
    fftw_free(from), fftw_free(back), fftw_free(to), fftw_free(alone);
}

struct shared_plan {
    fftw_plan plan;
    number *from, *to;
};

static void *execute_in_thread(void *argument) {
    struct shared_plan *shared = argument;
    for (int times = 0; times < 20; times++)
        fftw_execute_dft(shared->plan, shared->from, shared->to);
    return NULL;
}

// One plan, executed at the same time on other arrays each.
static void execute_together(int n, int threads) {
    struct shared_plan shared[executing];
    number *alone = array(n);
    fftw_plan_with_nthreads(threads);
    for (int i = 0; i < executing; i++) {
        shared[i].from = array(n);
        shared[i].to = array(n);
        fill((double *)shared[i].from, 2 * n, 50 + i);
    }
    shared[0].plan =
        fftw_plan_dft_1d(n, shared[0].from, shared[0].to, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    fftw_plan_with_nthreads(1);
    fftw_plan reference = fftw_plan_dft_1d(n, shared[0].from, alone, FFTW_FORWARD, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    pthread_t own[executing];
    for (int i = 0; i < executing; i++) {
        shared[i].plan = shared[0].plan;
        EXPECT_EQUAL(pthread_create(&own[i], NULL, execute_in_thread, &shared[i]), 0);
    }
    for (int i = 0; i < executing; i++)
        pthread_join(own[i], NULL);
    for (int i = 0; i < executing; i++) {
        fftw_execute_dft(reference, shared[i].from, alone);
        expect_near(shared[i].to, alone, n, 1e-13, "executed by threads of the program");
        memset(shared[i].to, 0, n * sizeof *shared[i].to);
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < executing; i++)
        execute_in_thread(&shared[i]);
    for (int i = 0; i < executing; i++) {
        fftw_execute_dft(reference, shared[i].from, alone);
        expect_near(shared[i].to, alone, n, 1e-13, "executed inside of a region");
        result("together", (double *)shared[i].to, 2 * n, 1e-14);
        fftw_free(shared[i].from), fftw_free(shared[i].to);
    }
    fftw_destroy_plan(shared[0].plan), fftw_destroy_plan(reference);
    fftw_free(alone);
}

int main(int count, char **arguments) {
    const int size = open_results(count, arguments), threads = omp_get_max_threads();
    EXPECT(fftw_init_threads() != 0);
    // A plan for one thread opens no region.
    most_threads = 0;
    const int lines[] = {16384, 16384 + 3, 15015, 17 * 1024, 65536};
    char name[24];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(name, sizeof name, "line %zu", i);
        transform(name, 1, &(int){lines[i] * size}, 1, threads);
    }
    transform("square", 2, (int[]){128 * size, 128}, 1, threads);
    transform("oblong", 2, (int[]){35 * size, 81}, 1, threads);
    transform("cube", 3, (int[]){32 * size, 24, 40}, 1, threads);
    transform("many", 1, (int[]){120}, 300 * size, threads);
    transform("many squares", 2, (int[]){32, 27}, 20 * size, threads);
    transform_real(96 * size, 130, threads);
    EXPECT_EQUAL(most_threads, threads == 1 ? 0 : threads);
    most_threads = 0;
    execute_together(16384 * size, threads);
    EXPECT_EQUAL(most_threads, threads == 1 ? 0 : threads);
    fftw_cleanup_threads();
    return close_results();
}
