/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' loops. All of them return when all iterations have ended. The variants that differ in Qthreads only by what
 * they wait with (simple, sv, dc, aligned, sinc) are the same here.
 */
#ifndef TEFF_QTHREAD_QLOOP_H
#define TEFF_QTHREAD_QLOOP_H

#include "qthread.h"

Q_STARTCXX

typedef void (*qt_loop_f)(size_t first, size_t last, void *argument);
typedef void (*qt_loop_step_f)(void *argument);
typedef void (*qt_loopr_f)(size_t first, size_t last, void *TEFF_RESTRICT argument, void *TEFF_RESTRICT ret);
typedef void (*qt_accum_f)(void *TEFF_RESTRICT a, const void *TEFF_RESTRICT b);

/* A qthread for each index from `start` up to `stop` - 1. */
void qt_loop(size_t start, size_t stop, qt_loop_f function, void *argument);
#define qt_loop_simple qt_loop
#define qt_loop_sv qt_loop
#define qt_loop_dc qt_loop
#define qt_loop_aligned qt_loop
#define qt_loop_sinc qt_loop
void qt_loop_step(size_t start, size_t stop, size_t stride, qt_loop_step_f function, void *argument);

/* A qthread for each worker, with an equal part of the range. */
void qt_loop_balance(size_t start, size_t stop, qt_loop_f function, void *argument);
#define qt_loop_balance_simple qt_loop_balance
#define qt_loop_balance_sv qt_loop_balance
#define qt_loop_balance_dc qt_loop_balance
#define qt_loop_balance_aligned qt_loop_balance
#define qt_loop_balance_sinc qt_loop_balance

/* The same; each stores a value of `size` bytes, and accumulate(out, value) adds them to `out` in the order of their
 * parts, beginning with a copy of the first one. */
void qt_loopaccum_balance(size_t start, size_t stop, size_t size, void *TEFF_RESTRICT out, qt_loopr_f function,
                          void *TEFF_RESTRICT argument, qt_accum_f accumulate);
#define qt_loopaccum_balance_sv qt_loopaccum_balance
#define qt_loopaccum_balance_dc qt_loopaccum_balance
#define qt_loopaccum_balance_sinc qt_loopaccum_balance

/* Of the elements of an array, each of which is awaited first if `awaits_full` is not 0. */
double qt_double_sum(double *array, size_t length, int awaits_full);
double qt_double_prod(double *array, size_t length, int awaits_full);
double qt_double_max(double *array, size_t length, int awaits_full);
double qt_double_min(double *array, size_t length, int awaits_full);
saligned_t qt_int_sum(saligned_t *array, size_t length, int awaits_full);
saligned_t qt_int_prod(saligned_t *array, size_t length, int awaits_full);
saligned_t qt_int_max(saligned_t *array, size_t length, int awaits_full);
saligned_t qt_int_min(saligned_t *array, size_t length, int awaits_full);
aligned_t qt_uint_sum(aligned_t *array, size_t length, int awaits_full);
aligned_t qt_uint_prod(aligned_t *array, size_t length, int awaits_full);
aligned_t qt_uint_max(aligned_t *array, size_t length, int awaits_full);
aligned_t qt_uint_min(aligned_t *array, size_t length, int awaits_full);

Q_ENDCXX

#endif
