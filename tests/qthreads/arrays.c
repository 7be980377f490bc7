/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Distributed arrays with their patterns, loops with a queue, functions for accumulation, and utilities.
 */
#include <qthread/allpairs.h>
#include <qthread/qarray.h>
#include <qthread/qloop.h>
#include <qthread/qthread.h>
#include <qthread/qutil.h>
#include <qthread/wavefront.h>

#include <float.h>
#include <stdlib.h>

#include "check.h"

enum { count = 3000 };

static void number(size_t first, size_t last, qarray *array, void *argument) {
    const qthread_shepherd_id_t here = qthread_shep();
    CHECK(argument == NULL || *(int *)argument == 5);
    CHECK(here == qarray_shepof(array, first) && here == qarray_shepof(array, last - 1));
    for (size_t i = first; i < last; ++i)
        *(aligned_t *)qarray_elem(array, i) += i;
}
static void sum_part(size_t first, size_t last, qarray *array, void *argument, void *ret) {
    (void)argument;
    *(aligned_t *)ret = 0;
    for (size_t i = first; i < last; ++i)
        *(aligned_t *)ret += *(aligned_t *)qarray_elem(array, i);
}
static aligned_t visited = 0;
static void only_read(size_t first, size_t last, const qarray *array, void *argument) {
    (void)argument;
    CHECK(*(const aligned_t *)qarray_elem(array, first) == first);
    qthread_incr(&visited, last - first);
}
static aligned_t visit(void *element) {
    CHECK(*(aligned_t *)element < count);
    return qthread_incr(&visited, 1);
}
static aligned_t migrate(void *argument) {
    qarray *array = argument;
    for (size_t i = 0; i < count; i += 500) {
        CHECK(qarray_elem_migrate(array, i) == qarray_elem(array, i));
        CHECK(qthread_shep() == qarray_shepof(array, i));
    }
    return 0;
}

static void one_array(distribution_t how, distribution_t becomes) {
    int five = 5;
    aligned_t sum = 0, ret;
    /* Segments of one page, with a gap at the end. */
    qarray *array = qarray_create_configured(count, 24, how, 1, 1);
    CHECK(array != NULL && array->dist_type == becomes && array->count == count);
    CHECK(array->unit_size == 24 && array->segment_size * 24 <= array->segment_bytes);
    qarray_iter_loop(array, 0, count, number, &five);
    visited = 0;
    qarray_iter_constloop(array, 10, count - 10, only_read, NULL);
    CHECK(visited == count - 20);
    qarray_iter(array, 0, count + 100, visit);
    CHECK(visited == 2 * count - 20);
    qarray_iter_loopaccum(array, 1, count, sum_part, NULL, &sum, sizeof sum, qt_uint_add_acc);
    CHECK(sum == (aligned_t)count * (count - 1) / 2);
    qarray_iter_loopaccum(array, 5, 5, sum_part, NULL, &sum, sizeof sum, qt_uint_add_acc);
    CHECK(sum == (aligned_t)count * (count - 1) / 2);
    qarray_iter_loop_nb(array, 0, count, number, &five, &ret);
    qthread_readFF(&ret, &ret);
    CHECK(ret == 0 && *(aligned_t *)qarray_elem(array, 7) == 14);
    CHECK(qthread_fork(migrate, array, &ret) == QTHREAD_SUCCESS);
    qthread_readFF(NULL, &ret);
    CHECK(qarray_elem(array, count) == NULL && qarray_shepof(array, count) == NO_SHEPHERD);
    qarray_destroy(array);
}

static void arrays(void) {
    const qthread_shepherd_id_t last = (qthread_shepherd_id_t)(qthread_num_shepherds() - 1);
    qarray *first = qarray_create_configured(count, 8, DIST_STRIPES, 0, 1);
    qarray *second = qarray_create_configured(count, 8, DIST_FIELDS, 0, 1);
    qarray *fixed = qarray_create(count, 5), *tight = qarray_create_tight(count, 5);
    one_array(FIXED_HASH, FIXED_HASH);
    one_array(FIXED_FIELDS, FIXED_FIELDS);
    one_array(ALL_LOCAL, ALL_SAME);
    one_array(ALL_RAND, ALL_SAME);
    one_array(ALL_LEAST, ALL_SAME);
    one_array(DIST_STRIPES, DIST);
    one_array(DIST_FIELDS, DIST);
    one_array(DIST_RAND, DIST);
    one_array(DIST_LEAST, DIST);
    CHECK(fixed->unit_size == 8 && tight->unit_size == 5);
    qarray_set_shepof(first, 0, last);
    CHECK(qarray_shepof(first, 0) == last && qarray_shepof(first, first->segment_size - 1) == last);
    qarray_dist_like(first, second);
    for (size_t i = 0; i < count; ++i)
        CHECK(qarray_shepof(first, i) == qarray_shepof(second, i));
    const qthread_shepherd_id_t stays = qarray_shepof(fixed, 0);
    qarray_set_shepof(fixed, 0, last);
    qarray_dist_like(first, fixed);
    CHECK(qarray_shepof(fixed, 0) == stays);
    CHECK(qarray_create(0, 8) == NULL && qarray_create(8, 0) == NULL);
    qarray_destroy(first);
    qarray_destroy(second);
    qarray_destroy(fixed);
    qarray_destroy(tight);
}

static void set_int(size_t first, size_t last, qarray *array, void *argument) {
    for (size_t i = first; i < last; ++i)
        *(int *)qarray_elem(array, i) = (int)i + *(int *)argument;
}
static aligned_t pair_sum = 0;
static void add_pair(const void *a, const void *b) {
    qthread_incr(&pair_sum, (aligned_t)(*(const int *)a * *(const int *)b));
}
static void multiply(const void *a, const void *b, void *restrict result) {
    *(int *)result += *(const int *)a * *(const int *)b;
}
static aligned_t result_sum = 0;
static void add_three(const void *restrict left, const void *restrict left_down, const void *restrict down,
                      void *restrict result) {
    const int sum = (2 * *(const int *)left + 3 * *(const int *)left_down + *(const int *)down) % 1000;
    *(int *)result = sum;
    qthread_incr(&result_sum, (aligned_t)sum);
}

static void patterns(void) {
    enum { side = 150 };
    static int products[side][side], expected[side + 1][side + 1], columns[side][side];
    void *rows[side];
    int *column[side];
    int zero = 0, wrong = 0;
    qarray *left = qarray_create_tight(side, sizeof(int)), *below = qarray_create_tight(side + 1, sizeof(int));
    qarray_iter_loop(left, 0, side, set_int, &zero);
    qarray_iter_loop(below, 0, side + 1, set_int, &zero);
    for (int i = 0; i < side; ++i)
        rows[i] = products[i];
    qt_allpairs_output(left, left, multiply, rows, sizeof(int));
    for (int i = 0; i < side; ++i)
        for (int j = 0; j < side; ++j)
            wrong += products[i][j] != i * j;
    CHECK(wrong == 0);
    qt_allpairs(left, below, add_pair);
    CHECK(pair_sum == (aligned_t)(side * (side - 1) / 2) * (side * (side + 1) / 2));

    /* Each of these columns is at the right of the one before; its first number is at the bottom. */
    aligned_t expected_sum = 0;
    for (int i = 0; i < side; ++i) {
        column[i] = columns[i];
        for (int j = 0; j < side; ++j)
            columns[i][j] = i * j == 0 ? i + 2 * j : 0;
    }
    qt_basic_wavefront(column, side, side, add_three);
    for (int i = 1; i < side; ++i)
        for (int j = 1; j < side; ++j)
            wrong += columns[i][j] != (2 * columns[i - 1][j] + 3 * columns[i - 1][j - 1] + columns[i][j - 1]) % 1000;
    CHECK(wrong == 0);

    /* Column 0 is `left`, above the corner; row 0 is `below`. */
    for (int i = 0; i <= side; ++i)
        for (int j = 0; j <= side; ++j) {
            if (j == 0)
                expected[i][j] = i;
            else if (i == 0)
                expected[i][j] = j - 1;
            else
                expected[i][j] = (2 * expected[i - 1][j] + 3 * expected[i - 1][j - 1] + expected[i][j - 1]) % 1000;
            expected_sum += i != 0 && j != 0 ? (aligned_t)expected[i][j] : 0;
        }
    result_sum = 0;
    qt_wavefront_lattice *lattice = qt_wavefront(left, below, add_three);
    CHECK(lattice != NULL && result_sum == expected_sum);
    qt_wavefront_destroy_lattice(lattice);
    qarray *other = qarray_create_tight(side, 2);
    CHECK(qt_wavefront(left, other, add_three) == NULL);
    qarray_destroy(other);
    qarray_destroy(left);
    qarray_destroy(below);

    left = qarray_create_tight(2, sizeof(int));
    below = qarray_create_tight(3, sizeof(int));
    qarray_iter_loop(left, 0, 2, set_int, &zero);
    qarray_iter_loop(below, 0, 3, set_int, &zero);
    lattice = qt_wavefront(left, below, add_three);
    qt_wavefront_print_lattice(lattice);
    qt_wavefront_destroy_lattice(lattice);
    qarray_destroy(left);
    qarray_destroy(below);
}

static void mark(size_t first, size_t last, void *argument) {
    for (size_t i = first; i < last; i += 3)
        qthread_incr((aligned_t *)argument + i, 1);
}
static void step(void *argument) { qthread_incr((aligned_t *)argument, 1); }

static void loop_queues(void) {
    static const qt_loop_queue_type types[] = {CHUNK, GUIDED, FACTORED, TIMED};
    static aligned_t marks[count];
    for (int t = 0; t < 8; ++t) {
        aligned_t steps = 0;
        int wrong = 0;
        for (size_t i = 0; i < count; ++i)
            marks[i] = 0;
        qqloop_handle_t *loop = qt_loop_queue_create(types[t % 4], 10, count, 3, mark, marks);
        if (t % 4 == 0)
            qt_loop_queue_setchunk(loop, 7);
        if (t < 4) {
            qt_loop_queue_run(loop);
        } else {
            qt_loop_queue_addworker(loop, 0);
            qt_loop_queue_run_there(loop, (qthread_shepherd_id_t)(qthread_num_shepherds() - 1));
        }
        for (size_t i = 0; i < count; ++i)
            wrong += marks[i] != (i >= 10 && (i - 10) % 3 == 0);
        CHECK(wrong == 0);
        qt_loop_queue_run((qqloop_handle_t *)qt_loop_step_queue_create(types[t % 4], 0, 100, 7, step, &steps));
        CHECK(steps == 15);
    }
    qt_loop_queue_run(qt_loop_queue_create(GUIDED, 5, 5, 1, mark, marks));
}

#define ACCUMULATES(name, type, a, b, result)                                                                          \
    do {                                                                                                               \
        type x = (a), y = (b);                                                                                         \
        qt_##name##_acc(&x, &y);                                                                                       \
        CHECK(x == (result));                                                                                          \
    } while (0)

static void utilities(void) {
    aligned_t whole[100];
    saligned_t with_sign[100];
    double real[1000];
    ACCUMULATES(dbl_add, double, 1.5, 2.0, 3.5);
    ACCUMULATES(int_add, saligned_t, 1, -2, -1);
    ACCUMULATES(uint_add, aligned_t, 1, 2, 3);
    ACCUMULATES(dbl_prod, double, 1.5, 2.0, 3.0);
    ACCUMULATES(int_prod, saligned_t, 3, -2, -6);
    ACCUMULATES(uint_prod, aligned_t, 3, 2, 6);
    ACCUMULATES(dbl_max, double, 1.5, 2.0, 2.0);
    ACCUMULATES(int_max, saligned_t, 1, -2, 1);
    ACCUMULATES(uint_max, aligned_t, 1, 2, 2);
    ACCUMULATES(dbl_min, double, 1.5, 2.0, 1.5);
    ACCUMULATES(int_min, saligned_t, 1, -2, -2);
    ACCUMULATES(uint_min, aligned_t, 1, 2, 1);
    for (int i = 0; i < 100; ++i) {
        whole[i] = (aligned_t)((i * 37 + 5) % 100) + 1;
        with_sign[i] = i % 2 == 0 ? -1 : 2;
    }
    for (int i = 0; i < 1000; ++i)
        real[i] = i < 10 ? 2.0 : 1.0 / ((i * 7) % 1000 + 1);
    CHECK(qutil_uint_sum(whole, 100, 1) == 5050 && qutil_uint_max(whole, 100, 0) == 100);
    CHECK(qutil_uint_min(whole, 100, 0) == 1 && qutil_uint_mult(whole, 3, 0) == whole[0] * whole[1] * whole[2]);
    CHECK(qutil_int_sum(with_sign, 100, 1) == 50 && qutil_int_max(with_sign, 100, 0) == 2);
    CHECK(qutil_int_min(with_sign, 100, 0) == -1 && qutil_int_mult(with_sign, 4, 0) == 4);
    CHECK(qutil_double_sum(real, 10, 1) == 20.0 && qutil_double_mult(real, 10, 0) == 1024.0);
    CHECK(qutil_double_max(real, 1000, 0) == 2.0 && qutil_double_min(real, 1000, 0) > 0);
    CHECK(qutil_double_min(real, 0, 0) == DBL_MAX);
    qutil_aligned_qsort(whole, 100);
    for (int i = 0; i < 100; ++i)
        CHECK(whole[i] == (aligned_t)i + 1);
    for (int way = 0; way < 3; ++way) {
        int wrong = 0;
        for (int i = 0; i < 1000; ++i)
            real[i] = (i * 617) % 1000;
        (way == 0 ? qutil_qsort : way == 1 ? qutil_mergesort : qt_qsort)(real, 1000);
        for (int i = 0; i < 1000; ++i)
            wrong += real[i] != i;
        CHECK(wrong == 0);
    }
}

int main(void) {
    CHECK(qthread_initialize() == QTHREAD_SUCCESS);
    arrays();
    patterns();
    loop_queues();
    utilities();
    qthread_finalize();
    return failed;
}
