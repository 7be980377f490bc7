/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' loops. All of them return when all iterations have ended. The variants that differ in Qthreads only by what
 * they wait with (simple, sv, dc, aligned, sinc) are the same here. Each index, or each part of a range, has a fiber of
 * its own, which is no qthread: see qthread_id().
 *
 * The reductions, such as qt_double_sum(), combine the elements of an array. If `awaits_full` is not 0, each element is
 * awaited until it is full. They do so in parts, as many as there are workers, on which the rounding of a double may
 * depend.
 *
 * If fibers cannot be started, for example without memory, an exception of C++ is thrown, which ends a program in C.
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

Q_ENDCXX

#endif
