/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' utilities: reductions of arrays, as in qloop.h, and sorts. All of them work with all workers of the team.
 * If `awaits_full` is not 0, each element is awaited until it is full.
 */
#ifndef TEFF_QTHREAD_QUTIL_H
#define TEFF_QTHREAD_QUTIL_H

#include "qthread.h"

Q_STARTCXX

/* The sum of the elements; 0 if there is none. */
double qutil_double_sum(const double *array, size_t length, int awaits_full);
/* The product of the elements; 1 if there is none. */
double qutil_double_mult(const double *array, size_t length, int awaits_full);
/* The largest element; -DBL_MAX if there is none. */
double qutil_double_max(const double *array, size_t length, int awaits_full);
/* The smallest element; DBL_MAX if there is none. */
double qutil_double_min(const double *array, size_t length, int awaits_full);
/* The sum of the elements; 0 if there is none. */
aligned_t qutil_uint_sum(const aligned_t *array, size_t length, int awaits_full);
/* The product of the elements; 1 if there is none. */
aligned_t qutil_uint_mult(const aligned_t *array, size_t length, int awaits_full);
/* The largest element; 0 if there is none. */
aligned_t qutil_uint_max(const aligned_t *array, size_t length, int awaits_full);
/* The smallest element; UINT64_MAX if there is none. */
aligned_t qutil_uint_min(const aligned_t *array, size_t length, int awaits_full);
/* The sum of the elements; 0 if there is none. */
saligned_t qutil_int_sum(const saligned_t *array, size_t length, int awaits_full);
/* The product of the elements; 1 if there is none. */
saligned_t qutil_int_mult(const saligned_t *array, size_t length, int awaits_full);
/* The largest element; INT64_MIN if there is none. */
saligned_t qutil_int_max(const saligned_t *array, size_t length, int awaits_full);
/* The smallest element; INT64_MAX if there is none. */
saligned_t qutil_int_min(const saligned_t *array, size_t length, int awaits_full);

/* Sorts the numbers from the smallest to the largest. None may be a NaN. */
void qutil_mergesort(double *array, size_t length);
void qutil_qsort(double *array, size_t length);                /* the same as qutil_mergesort() */
void qutil_aligned_qsort(aligned_t *array, size_t length);     /* the same for numbers without a sign */

Q_ENDCXX

#endif
