// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenBLAS, built with OpenMP: products, a symmetric update, Cholesky's and Gauss' factorizations. They are called by
// the main thread; by all threads of a region, where OpenBLAS uses one thread for each call; by tasks, as PLASMA does;
// and by several threads of the program at the same time, each of which gets regions of its own.
#define _GNU_SOURCE
#include "counted_regions.h"
#include "results.h"

#include <cblas.h>
#include <omp.h>

// LAPACK's, which OpenBLAS has beside BLAS.
void dpotrf_(const char *half, const int *rows, double *matrix, const int *stride, int *failed);
void dgetrf_(const int *rows, const int *columns, double *matrix, const int *stride, int *pivots, int *failed);

enum { callers = 3, in_region = 6 };

// Everything in columns, with `n` as stride.
struct case_of {
    int n;
    double *a, *b, *definite;
    double *product, *square, *cholesky, *gauss, *pivots;
};

static double *numbers(size_t count) {
    double *made = calloc(count, sizeof *made);
    if (!made) {
        fputs("there is no memory for the matrices\n", stderr);
        exit(2);
    }
    return made;
}

static struct case_of prepare(int n, unsigned seed) {
    const size_t count = (size_t)n * n;
    struct case_of made = {n, numbers(count), numbers(count), numbers(count), numbers(count),
                           numbers(count), numbers(count), numbers(count), numbers(n)};
    fill(made.a, count, seed);
    fill(made.b, count, seed + 1000);
    fill(made.product, count, seed + 2000);
    fill(made.square, count, seed + 3000);
    memcpy(made.gauss, made.a, count * sizeof *made.a);
    // Symmetric, and definite by its diagonal.
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            made.definite[i + (size_t)j * n] =
                made.b[i + (size_t)j * n] + made.b[j + (size_t)i * n] + (i == j ? 2. * n : 0);
    memcpy(made.cholesky, made.definite, count * sizeof *made.definite);
    return made;
}

static void release(struct case_of *made) {
    double *all[] = {made->a,      made->b,        made->definite, made->product,
                     made->square, made->cholesky, made->gauss,    made->pivots};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

static void compute(struct case_of *of) {
    const int n = of->n;
    int failed = -1, *pivots = malloc(n * sizeof *pivots);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, 1.5, of->a, n, of->b, n, -0.5, of->product, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, n, 0.7, of->a, n, 0.3, of->square, n);
    dpotrf_("L", &n, of->cholesky, &n, &failed);
    EXPECT_EQUAL(failed, 0);
    dgetrf_(&n, &n, of->gauss, &n, pivots, &failed);
    EXPECT_EQUAL(failed, 0);
    for (int i = 0; i < n; i++)
        of->pivots[i] = pivots[i];
    free(pivots);
}

// to := part of the matrix * from, or its transpose; plain loops.
enum part { whole, lower, unit_lower, upper };

static void multiply(int n, const double *matrix, enum part part, int transposed, const double *from, double *to) {
    for (int i = 0; i < n; i++)
        to[i] = 0;
    for (int j = 0; j < n; j++) {
        const int first = part == whole || part == upper ? 0 : j, last = part == upper ? j : n - 1;
        for (int i = first; i <= last; i++) {
            const double value = part == unit_lower && i == j ? 1 : matrix[i + (size_t)j * n];
            to[transposed ? j : i] += value * from[transposed ? i : j];
        }
    }
}

static void expect_near(int n, const double *actual, const double *expected, double scale, const char *what) {
    double difference = 0;
    for (int i = 0; i < n; i++)
        if (!(fabs(actual[i] - expected[i]) <= difference))
            difference = fabs(actual[i] - expected[i]);
    if (!(difference <= 1e-13 * n * scale)) {
        fprintf(stderr, "%s is wrong by %g\n", what, difference);
        expectation_failed();
    }
}

static void check(const struct case_of *of) {
    const int n = of->n;
    double *x = numbers(n), *y = numbers(n), *z = numbers(n), *actual = numbers(n);
    fill(x, n, 77);

    multiply(n, of->definite, whole, 0, x, z);
    multiply(n, of->cholesky, lower, 1, x, y);
    multiply(n, of->cholesky, lower, 0, y, actual);
    expect_near(n, actual, z, n, "the Cholesky factor");

    multiply(n, of->gauss, upper, 0, x, y);
    multiply(n, of->gauss, unit_lower, 0, y, actual);
    multiply(n, of->a, whole, 0, x, z);
    for (int i = 0; i < n; i++) {
        const int other = (int)of->pivots[i] - 1;
        const double moved = z[i];
        z[i] = z[other];
        z[other] = moved;
    }
    expect_near(n, actual, z, n, "the factors of Gauss");
    free(x), free(y), free(z), free(actual);
}

static void check_products(const struct case_of *of, unsigned seed) {
    const int n = of->n;
    const size_t count = (size_t)n * n;
    double *x = numbers(n), *y = numbers(n), *z = numbers(n), *actual = numbers(n), *old = numbers(count);
    fill(x, n, 78);
    fill(old, count, seed + 2000);
    multiply(n, of->b, whole, 1, x, y);
    multiply(n, of->a, whole, 0, y, z);
    multiply(n, old, whole, 0, x, y);
    for (int i = 0; i < n; i++)
        z[i] = 1.5 * z[i] - 0.5 * y[i];
    multiply(n, of->product, whole, 0, x, actual);
    expect_near(n, actual, z, n, "the product");

    // The square has a lower half alone; the upper one is as before.
    fill(old, count, seed + 3000);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < j; i++)
            EXPECT(of->square[i + (size_t)j * n] == old[i + (size_t)j * n]);
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = 0; k < n; k++)
            y[i] += of->a[n - 1 + (size_t)k * n] * of->a[i + (size_t)k * n];
        z[i] = 0.7 * y[i] + 0.3 * old[n - 1 + (size_t)i * n];
        actual[i] = of->square[n - 1 + (size_t)i * n];
    }
    expect_near(n, actual, z, n, "the square");
    free(x), free(y), free(z), free(actual), free(old);
}

static void check_and_compare(struct case_of *of, unsigned seed) {
    const size_t count = (size_t)of->n * of->n;
    check(of);
    check_products(of, seed);
    result("product", of->product, count, 1e-13);
    result("square", of->square, count, 1e-13);
    result("cholesky", of->cholesky, count, 1e-12);
    result("gauss", of->gauss, count, 1e-9);
    result("pivots", of->pivots, of->n, 0);
    release(of);
}

static void *compute_in_thread(void *of) {
    compute(of);
    return NULL;
}

// Cholesky's factorization of tiles of `side` rows, by tasks that call OpenBLAS; lower half.
static void factor_by_tasks(double *matrix, int n, int side) {
    const int tiles = n / side;
    // The first number of a tile names the tile in depend clauses.
#define TILE(i, j) (matrix + (size_t)(j) * side * n + (size_t)(i) * side)
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < tiles; k++) {
        double *diagonal = TILE(k, k);
#pragma omp task depend(inout : diagonal[0]) priority(10)
        {
            int failed = -1;
            dpotrf_("L", &side, diagonal, &n, &failed);
            EXPECT_EQUAL(failed, 0);
        }
        for (int i = k + 1; i < tiles; i++) {
            double *below = TILE(i, k);
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0]) priority(5)
            cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, side, side, 1, diagonal, n,
                        below, n);
        }
        for (int i = k + 1; i < tiles; i++) {
            double *left = TILE(i, k), *square = TILE(i, i);
#pragma omp task depend(in : left[0]) depend(inout : square[0])
            cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, side, side, -1, left, n, 1, square, n);
            for (int j = k + 1; j < i; j++) {
                double *upper = TILE(j, k), *to = TILE(i, j);
#pragma omp task depend(in : left[0], upper[0]) depend(inout : to[0])
                cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, side, side, side, -1, left, n, upper, n, 1, to, n);
            }
        }
    }
#undef TILE
}

int main(int count, char **arguments) {
    const int size = open_results(count, arguments), threads = omp_get_max_threads();
    EXPECT_EQUAL(openblas_get_parallel(), OPENBLAS_OPENMP);
    // At its start it takes no more threads than there are processors.
    openblas_set_num_threads(threads);

    // The main thread. On one thread OpenBLAS opens no region.
    most_threads = 0;
    for (int part = 1; part <= 3; part++) {
        struct case_of one = prepare(size / part + part, part);
        compute(&one);
        check_and_compare(&one, part);
    }
    EXPECT_EQUAL(most_threads, threads == 1 ? 0 : threads);

    // All threads of a region, and tasks, more than there are threads.
    struct case_of cases[in_region];
    for (int i = 0; i < in_region; i++)
        cases[i] = prepare(size / 2 + i, 10 + i);
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < in_region; i++)
        compute(&cases[i]);
    for (int i = 0; i < in_region; i++)
        check_and_compare(&cases[i], 10 + i);
    for (int i = 0; i < in_region; i++)
        cases[i] = prepare(size / 2 - i, 20 + i);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < in_region; i++) {
#pragma omp task
        compute(&cases[i]);
    }
    for (int i = 0; i < in_region; i++)
        check_and_compare(&cases[i], 20 + i);

    // Tiles, whose tasks call the library.
    struct case_of tiled = prepare(size / 16 * 16, 30);
    factor_by_tasks(tiled.cholesky, tiled.n, tiled.n / 16);
    struct case_of at_once = prepare(tiled.n, 30);
    compute(&at_once);
    check(&at_once);
    memcpy(at_once.cholesky, tiled.cholesky, (size_t)tiled.n * tiled.n * sizeof *tiled.cholesky);
    release(&tiled);
    check_and_compare(&at_once, 30);

    // The program's own threads, all at once.
    most_threads = 0;
    pthread_t own[callers];
    for (int i = 0; i < callers; i++) {
        cases[i] = prepare(size - 5 * i, 40 + i);
        EXPECT_EQUAL(pthread_create(&own[i], NULL, compute_in_thread, &cases[i]), 0);
    }
    for (int i = 0; i < callers; i++)
        pthread_join(own[i], NULL);
    for (int i = 0; i < callers; i++)
        check_and_compare(&cases[i], 40 + i);
    EXPECT_EQUAL(most_threads, threads == 1 ? 0 : threads);
    return close_results();
}
