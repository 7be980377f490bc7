/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' loops. All of them return when all iterations have ended. The variants that differ in Qthreads only by what
 * they wait with (simple, sv, dc, aligned, sinc) are the same here. Each index, or each part of a range, has a qthread
 * of its own, in the team of the caller.
 *
 * The reductions, such as qt_double_sum(), combine the elements of an array. If `awaits_full` is not 0, each element is
 * awaited until it is full. They do so in parts, as many as there are workers, on which the rounding of a double may
 * depend.
 *
 * If fibers cannot be started, for example without memory, an exception of C++ is thrown, which ends a program in C. A
 * loop with a queue has fewer workers then, as long as there is one.
 */
#ifndef TEFF_QTHREAD_QLOOP_H
#define TEFF_QTHREAD_QLOOP_H

#include "qthread.h"

Q_STARTCXX

/* What is called with a part of a range: the indices from `first` up to `last` - 1. */
typedef void (*qt_loop_f)(size_t first, size_t last, void *argument);
/* What qt_loop_step() calls. */
typedef void (*qt_loop_step_f)(void *argument);
/* As qt_loop_f; stores the value of its part at `ret`. */
typedef void (*qt_loopr_f)(size_t first, size_t last, void *TEFF_RESTRICT argument, void *TEFF_RESTRICT ret);
/* Adds the value at `b` to the one at `a`. */
typedef void (*qt_accum_f)(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b);

/* Calls function(i, i + 1, argument) for each index i from `start` up to `stop` - 1. */
void qt_loop(size_t start, size_t stop, qt_loop_f function, void *argument);
#define qt_loop_simple qt_loop  /* the same as qt_loop() */
#define qt_loop_sv qt_loop      /* the same as qt_loop() */
#define qt_loop_dc qt_loop      /* the same as qt_loop() */
#define qt_loop_aligned qt_loop /* the same as qt_loop() */
#define qt_loop_sinc qt_loop    /* the same as qt_loop() */
/* Calls function(argument) as often as there are indices `start`, `start` + `stride`, ... below `stop`. */
void qt_loop_step(size_t start, size_t stop, size_t stride, qt_loop_step_f function, void *argument);

/* Calls the function with an equal part of the range for each worker, or with single indices if there are fewer. */
void qt_loop_balance(size_t start, size_t stop, qt_loop_f function, void *argument);
#define qt_loop_balance_simple qt_loop_balance  /* the same as qt_loop_balance() */
#define qt_loop_balance_sv qt_loop_balance      /* the same as qt_loop_balance() */
#define qt_loop_balance_dc qt_loop_balance      /* the same as qt_loop_balance() */
#define qt_loop_balance_aligned qt_loop_balance /* the same as qt_loop_balance() */
#define qt_loop_balance_sinc qt_loop_balance    /* the same as qt_loop_balance() */

/* As qt_loop_balance(); each part stores a value of `size` bytes, and accumulate(out, value) adds them to `out` in the
 * order of their parts, beginning with a copy of the first one. With an empty range `out` stays as it is. */
void qt_loopaccum_balance(size_t start, size_t stop, size_t size, void *TEFF_RESTRICT out, qt_loopr_f function,
                          void *TEFF_RESTRICT argument, qt_accum_f accumulate);
#define qt_loopaccum_balance_sv qt_loopaccum_balance   /* the same as qt_loopaccum_balance() */
#define qt_loopaccum_balance_dc qt_loopaccum_balance   /* the same as qt_loopaccum_balance() */
#define qt_loopaccum_balance_sinc qt_loopaccum_balance /* the same as qt_loopaccum_balance() */

/* ---- Loops with a queue
 * -------------------------------------------------------------------------------------------- */

/* How a loop is cut into parts, which its workers take one after the other. */
typedef enum {
    CHUNK,    /* parts of one size, which qt_loop_queue_setchunk() chooses */
    GUIDED,   /* each part is an equal share of what is left (Polychronopoulos and Kuck, 1987) */
    FACTORED, /* rounds of equal parts, each round half of what is left (Hummel, Schonberg and Flynn, 1992) */
    TIMED     /* as many as take about 100 microseconds, by the time of the part before */
} qt_loop_queue_type;
typedef struct qqloop_handle_s qqloop_handle_t;           /* a loop that can be run once */
typedef struct qqloop_step_handle_s qqloop_step_handle_t; /* a loop of qt_loop_step_queue_create() */

/* Makes a loop over the indices from `start` up to `stop` - 1. A part is function(first, last, argument); it begins at
 * a multiple of `increment` after `start`, and the function itself goes on in such steps. NULL: there is no memory. */
qqloop_handle_t *qt_loop_queue_create(qt_loop_queue_type type, size_t start, size_t stop, size_t increment,
                                      qt_loop_f function, void *argument);
/* The same for a function that is called once for each index `start`, `start` + `increment`, ... below `stop`. The
 * handle is given to the functions below as a qqloop_handle_t. */
qqloop_step_handle_t *qt_loop_step_queue_create(qt_loop_queue_type type, size_t start, size_t stop, size_t increment,
                                                qt_loop_step_f function, void *argument);
/* Before the loop is run: the size of a part of a CHUNK loop, in increments; at least 1. */
void qt_loop_queue_setchunk(qqloop_handle_t *loop, size_t chunk);
/* Runs the loop with a qthread for each worker; returns when all indices are done, and frees the handle, also if it
 * throws an exception. */
void qt_loop_queue_run(qqloop_handle_t *loop);
/* The same with one qthread, on that shepherd. */
void qt_loop_queue_run_there(qqloop_handle_t *loop, qthread_shepherd_id_t shepherd);
/* Adds a qthread on that shepherd to a loop that is being run, or will be. */
void qt_loop_queue_addworker(qqloop_handle_t *loop, qthread_shepherd_id_t shepherd);

/* ---- Functions for accumulation
 * ----------------------------------------------------------------------------------- */

/* Adds the value at `b` to the one at `a`. */
static inline void qt_dbl_add_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(double *)a += *(const double *)b;
}
/* Adds the value at `b` to the one at `a`. */
static inline void qt_int_add_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(saligned_t *)a += *(const saligned_t *)b;
}
/* Adds the value at `b` to the one at `a`. */
static inline void qt_uint_add_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(aligned_t *)a += *(const aligned_t *)b;
}
/* Multiplies the value at `a` by the one at `b`. */
static inline void qt_dbl_prod_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(double *)a *= *(const double *)b;
}
/* Multiplies the value at `a` by the one at `b`. */
static inline void qt_int_prod_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(saligned_t *)a *= *(const saligned_t *)b;
}
/* Multiplies the value at `a` by the one at `b`. */
static inline void qt_uint_prod_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    *(aligned_t *)a *= *(const aligned_t *)b;
}
/* Leaves the larger of the two values at `a`. */
static inline void qt_dbl_max_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const double *)b > *(double *)a)
        *(double *)a = *(const double *)b;
}
/* Leaves the larger of the two values at `a`. */
static inline void qt_int_max_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const saligned_t *)b > *(saligned_t *)a)
        *(saligned_t *)a = *(const saligned_t *)b;
}
/* Leaves the larger of the two values at `a`. */
static inline void qt_uint_max_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const aligned_t *)b > *(aligned_t *)a)
        *(aligned_t *)a = *(const aligned_t *)b;
}
/* Leaves the smaller of the two values at `a`. */
static inline void qt_dbl_min_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const double *)b < *(double *)a)
        *(double *)a = *(const double *)b;
}
/* Leaves the smaller of the two values at `a`. */
static inline void qt_int_min_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const saligned_t *)b < *(saligned_t *)a)
        *(saligned_t *)a = *(const saligned_t *)b;
}
/* Leaves the smaller of the two values at `a`. */
static inline void qt_uint_min_acc(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b) {
    if (*(const aligned_t *)b < *(aligned_t *)a)
        *(aligned_t *)a = *(const aligned_t *)b;
}

/* ---- Reductions -------------------------------------------------------------------------------------------------- */

double qt_double_sum(double *array, size_t length, int awaits_full);       /* sum of the elements; 0 if none */
double qt_double_prod(double *array, size_t length, int awaits_full);      /* product of the elements; 1 if none */
double qt_double_max(double *array, size_t length, int awaits_full);       /* largest element, at least -DBL_MAX */
double qt_double_min(double *array, size_t length, int awaits_full);       /* smallest element, at most DBL_MAX */
saligned_t qt_int_sum(saligned_t *array, size_t length, int awaits_full);  /* sum of the elements; 0 if none */
saligned_t qt_int_prod(saligned_t *array, size_t length, int awaits_full); /* product of the elements; 1 if none */
saligned_t qt_int_max(saligned_t *array, size_t length, int awaits_full);  /* largest element; INT64_MIN if none */
saligned_t qt_int_min(saligned_t *array, size_t length, int awaits_full);  /* smallest element; INT64_MAX if none */
aligned_t qt_uint_sum(aligned_t *array, size_t length, int awaits_full);   /* sum of the elements; 0 if none */
aligned_t qt_uint_prod(aligned_t *array, size_t length, int awaits_full);  /* product of the elements; 1 if none */
aligned_t qt_uint_max(aligned_t *array, size_t length, int awaits_full);   /* largest element; 0 if none */
aligned_t qt_uint_min(aligned_t *array, size_t length, int awaits_full);   /* smallest element; UINT64_MAX if none */

/* Sorts the numbers from the smallest to the largest. None may be a NaN. */
void qt_qsort(double *array, size_t length);

Q_ENDCXX

#endif
