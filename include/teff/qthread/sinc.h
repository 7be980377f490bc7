/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' sincs: wait for a number of submissions, which may be reduced to one value.
 *
 * Without memory the functions that make a sinc throw std::bad_alloc, which ends a program in C.
 */
#ifndef TEFF_QTHREAD_SINC_H
#define TEFF_QTHREAD_SINC_H

#include "qthread.h"

Q_STARTCXX

/* Adds the value at `source` to the one at `target`. One thread at a time calls it for a sinc. */
typedef void (*qt_sinc_op_f)(void *target, const void *source);

/* A qt_sinc_t counts submissions, and may add their values. */
typedef struct qt_sinc_s {
    void *opaque[3]; /* of the library */
} qt_sinc_t;

/* Makes a sinc that expects `expected` submissions. Their values have `size` bytes, and are added by `op` to a copy of
 * `initial`. If `initial` or `op` is NULL, values are ignored. */
void qt_sinc_init(qt_sinc_t *TEFF_RESTRICT sinc, size_t size, const void *TEFF_RESTRICT initial, qt_sinc_op_f op,
                  size_t expected);
/* As qt_sinc_init(), in new memory, which qt_sinc_destroy() frees. */
qt_sinc_t *qt_sinc_create(size_t size, const void *initial, qt_sinc_op_f op, size_t expected);
/* Begins anew, with the initial value, and expects `expected` submissions. No call may be waiting. */
void qt_sinc_reset(qt_sinc_t *sinc, size_t expected);
/* Frees what qt_sinc_init() has taken. No call may be under way. */
void qt_sinc_fini(qt_sinc_t *sinc);
/* Frees a sinc of qt_sinc_create(). No call may be under way. */
void qt_sinc_destroy(qt_sinc_t *sinc);
/* Lets the sinc expect `count` more submissions. */
void qt_sinc_expect(qt_sinc_t *sinc, size_t count);
/* Counts one submission, and adds its value unless that is NULL. There must not be more than are expected. */
void qt_sinc_submit(qt_sinc_t *TEFF_RESTRICT sinc, const void *TEFF_RESTRICT value);
/* Returns when all submissions have come that are expected, with their value in `target`, if that is not NULL. */
void qt_sinc_wait(qt_sinc_t *TEFF_RESTRICT sinc, void *TEFF_RESTRICT target);

Q_ENDCXX

#endif
