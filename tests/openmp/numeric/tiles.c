// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SYRK and POTRF over tiles, as PLASMA has them: a task per tile and step, with `depend` and `priority`. The second
// starts on the tiles of the first without a wait between. One matrix; two in one region; two in regions of two threads
// of the program; and tasks that are made by tasks. The tiles must be, bit by bit, what the same steps give in the
// program's order, and nearly what plain loops over the whole matrix give.
#include "results.h"

#include <omp.h>
#include <pthread.h>

enum { side = 24, most_threads = 64 };

struct matrix {
    int tiles;
    double (*a)[side * side], (*c)[side * side];  // tile (i, j) is [i + j * tiles]; columns inside of it
};

static int ran[most_threads];

static void count_run(void) {
    __atomic_fetch_add(&ran[omp_get_thread_num() % most_threads], 1, __ATOMIC_RELAXED);
}

static struct matrix prepare(int tiles, unsigned seed) {
    const size_t count = (size_t)tiles * tiles;
    struct matrix made = {tiles, malloc(count * sizeof *made.a), malloc(count * sizeof *made.c)};
    if (!made.a || !made.c) {
        fputs("there is no memory for the matrix\n", stderr);
        exit(2);
    }
    fill(made.a[0], count * side * side, seed);
    fill(made.c[0], count * side * side, seed + 1);
    for (int k = 0; k < tiles; k++)
        for (int i = 0; i < side; i++)
            made.c[k + (size_t)k * tiles][i + i * side] += 4. * tiles * side;
    return made;
}

static void release(struct matrix *made) {
    free(made->a);
    free(made->c);
}

// The kernels. to += scale * left * right^T; a diagonal tile has only its lower half.
static void multiply(double scale, const double *left, const double *right, double *to, int is_diagonal) {
    for (int j = 0; j < side; j++)
        for (int k = 0; k < side; k++) {
            const double factor = scale * right[j + k * side];
            for (int i = is_diagonal ? j : 0; i < side; i++)
                to[i + j * side] += left[i + k * side] * factor;
        }
}

static void factor(double *diagonal) {
    for (int j = 0; j < side; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < side; i++)
                diagonal[i + j * side] -= diagonal[i + k * side] * diagonal[j + k * side];
        EXPECT(diagonal[j + j * side] > 0);
        diagonal[j + j * side] = sqrt(diagonal[j + j * side]);
        for (int i = j + 1; i < side; i++)
            diagonal[i + j * side] /= diagonal[j + j * side];
    }
}

static void divide(const double *diagonal, double *below) {
    for (int j = 0; j < side; j++) {
        for (int k = 0; k < j; k++)
            for (int i = 0; i < side; i++)
                below[i + j * side] -= below[i + k * side] * diagonal[j + k * side];
        for (int i = 0; i < side; i++)
            below[i + j * side] /= diagonal[j + j * side];
    }
}

// C := C + A A^T, then C's Cholesky factor. With `as_tasks` off the tasks run at once, in the order of the program.
static void square_and_factor(struct matrix of, int as_tasks) {
    const int tiles = of.tiles;
    for (int i = 0; i < tiles; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < tiles; k++) {
                double *left = of.a[i + (size_t)k * tiles], *right = of.a[j + (size_t)k * tiles];
                double *to = of.c[i + (size_t)j * tiles];
#pragma omp task depend(in : left[0], right[0]) depend(inout : to[0]) if(as_tasks)
                {
                    count_run();
                    multiply(1, left, right, to, i == j);
                }
            }
    for (int k = 0; k < tiles; k++) {
        double *diagonal = of.c[k + (size_t)k * tiles];
#pragma omp task depend(inout : diagonal[0]) priority(20) if(as_tasks)
        {
            count_run();
            factor(diagonal);
        }
        for (int i = k + 1; i < tiles; i++) {
            double *below = of.c[i + (size_t)k * tiles];
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0]) priority(10) if(as_tasks)
            {
                count_run();
                divide(diagonal, below);
            }
        }
        for (int i = k + 1; i < tiles; i++)
            for (int j = k + 1; j <= i; j++) {
                double *left = of.c[i + (size_t)k * tiles], *right = of.c[j + (size_t)k * tiles];
                double *to = of.c[i + (size_t)j * tiles];
#pragma omp task depend(in : left[0], right[0]) depend(inout : to[0]) priority(j == k + 1 ? 5 : 0) if(as_tasks)
                {
                    count_run();
                    multiply(-1, left, right, to, i == j);
                }
            }
    }
}

// A number of the whole matrix.
static double *in(const struct matrix *of, double (*tiles)[side * side], int i, int j) {
    return &tiles[i / side + (size_t)(j / side) * of->tiles][i % side + j % side * side];
}

// Plain loops, without tiles.
static double *plainly(struct matrix of) {
    const int n = of.tiles * side;
    double *c = malloc((size_t)n * n * sizeof *c);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = *in(&of, of.c, i, j);
            for (int k = 0; k < n; k++)
                sum += *in(&of, of.a, i, k) * *in(&of, of.a, j, k);
            c[i + (size_t)j * n] = sum;
        }
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                c[i + (size_t)j * n] -= c[i + (size_t)k * n] * c[j + (size_t)k * n];
        c[j + (size_t)j * n] = sqrt(c[j + (size_t)j * n]);
        for (int i = j + 1; i < n; i++)
            c[i + (size_t)j * n] /= c[j + (size_t)j * n];
    }
    return c;
}

static struct matrix in_order(int tiles, unsigned seed) {
    struct matrix made = prepare(tiles, seed);
    double *expected = plainly(made);
    const int n = tiles * side;
    square_and_factor(made, 0);
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            EXPECT(fabs(*in(&made, made.c, i, j) - expected[i + (size_t)j * n]) <= 1e-13 * n * tiles);
    free(expected);
    return made;
}

static void expect_same(const struct matrix *actual, const struct matrix *expected, const char *what) {
    const size_t tiles = (size_t)actual->tiles * actual->tiles;
    if (memcmp(actual->c, expected->c, tiles * sizeof *actual->c) != 0) {
        fprintf(stderr, "tasks give other tiles than the program's order: %s\n", what);
        expectation_failed();
    }
}

// Makes tasks until another thread has run one, so that two threads take part; returns how many. No task waits for
// another: a scheduler may leave both to one thread.
static int share(void) {
    const int maker = omp_get_thread_num();
    int made = 0, is_shared = 0;
    while (!is_shared) {
        for (int i = 0; i < 50; i++, made++) {
#pragma omp task shared(is_shared)
            {
                count_run();
                if (omp_get_thread_num() != maker)
                    __atomic_store_n(&is_shared, 1, __ATOMIC_RELAXED);
            }
        }
#pragma omp taskwait
    }
    return made;
}

static void *in_own_region(void *of) {
#pragma omp parallel
#pragma omp single
    square_and_factor(*(struct matrix *)of, 1);
    return NULL;
}

int main(int count, char **arguments) {
    const int tiles = open_results(count, arguments), threads = omp_get_max_threads();
    EXPECT(omp_get_max_task_priority() >= 20);
    struct matrix first = in_order(tiles, 1), second = in_order(tiles - 1, 100);

    memset(ran, 0, sizeof ran);
    struct matrix one = prepare(tiles, 1);
    int more = 0;
#pragma omp parallel
#pragma omp single
    {
        if (threads > 1)
            more = share();
        square_and_factor(one, 1);
    }
    expect_same(&one, &first, "one matrix");
    int took_part = 0, all = 0;
    for (int i = 0; i < most_threads; i++) {
        took_part += ran[i] > 0;
        all += ran[i];
    }
    EXPECT(threads == 1 || took_part > 1);
    // SYRK's; POTRF's diagonal tiles, the tiles below, and the updates.
    const int below = tiles * (tiles - 1) / 2;
    const int updates = tiles * (tiles - 1) * (tiles + 1) / 6;
    EXPECT_EQUAL(all, more + tiles * (below + tiles) + tiles + below + updates);
    result("one", one.c[0], (size_t)tiles * tiles * side * side, 0);
    release(&one);

    // Two in one region, made by two tasks: the tasks of different parents have no order between them.
    struct matrix two[2] = {prepare(tiles, 1), prepare(tiles - 1, 100)};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; i++) {
#pragma omp task
        square_and_factor(two[i], 1);
    }
    expect_same(&two[0], &first, "made by a task");
    expect_same(&two[1], &second, "made by a task, the second");
    release(&two[0]), release(&two[1]);

    // taskwait with a dependence, between the tasks of one matrix and of another.
    two[0] = prepare(tiles, 1), two[1] = prepare(tiles - 1, 100);
#pragma omp parallel
#pragma omp single
    {
        square_and_factor(two[0], 1);
#pragma omp taskwait depend(in : two[0].c[(size_t)tiles * tiles - 1][0])
        expect_same(&two[0], &first, "at the taskwait for its last tile");
        square_and_factor(two[1], 1);
    }
    expect_same(&two[1], &second, "after a taskwait");
    release(&two[0]), release(&two[1]);

    two[0] = prepare(tiles, 1), two[1] = prepare(tiles - 1, 100);
    pthread_t own[2];
    for (int i = 0; i < 2; i++)
        EXPECT_EQUAL(pthread_create(&own[i], NULL, in_own_region, &two[i]), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(own[i], NULL);
    expect_same(&two[0], &first, "in a region of a thread of the program");
    expect_same(&two[1], &second, "in a region of another thread");
    result("second", two[1].c[0], (size_t)(tiles - 1) * (tiles - 1) * side * side, 0);
    release(&two[0]), release(&two[1]), release(&first), release(&second);
    return close_results();
}
