/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' All-Pairs: a function of each element of one array with each element of another (Moretti et al., IPDPS
 * 2008). Defined in array_patterns.cpp.
 */
#ifndef TEFF_QTHREAD_ALLPAIRS_H
#define TEFF_QTHREAD_ALLPAIRS_H

#include "qarray.h"

Q_STARTCXX

/* Is called with an element of each array. */
typedef void (*dist_f)(const void *unit1, const void *unit2);
/* The same; stores a result. */
typedef void (*dist_out_f)(const void *unit1, const void *unit2, void *TEFF_RESTRICT result);

/* Calls function(a, b) for each element `a` of array1 and each element `b` of array2, on the shepherd of `a`. Returns
 * when all calls have. */
void qt_allpairs(const qarray *array1, const qarray *array2, dist_f function);
/* The same; the result of elements i and j has `result_size` bytes, at output[i] + j * result_size. */
void qt_allpairs_output(const qarray *array1, const qarray *array2, dist_out_f function,
                        void *TEFF_RESTRICT *TEFF_RESTRICT output, size_t result_size);

Q_ENDCXX

#endif
