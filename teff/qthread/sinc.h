/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' sincs: wait for a number of submissions, which may be reduced to one value.
 */
#ifndef TEFF_QTHREAD_SINC_H
#define TEFF_QTHREAD_SINC_H

#include "qthread.h"

Q_STARTCXX

typedef void (*qt_sinc_op_f)(void *target, const void *source);

typedef struct qt_sinc_s {
    void *opaque[3];
} qt_sinc_t;

/* op(target, source) adds a value of `size` bytes; NULL: there are no values. Without memory the program ends. */
void qt_sinc_init(qt_sinc_t *TEFF_RESTRICT sinc, size_t size, const void *TEFF_RESTRICT initial, qt_sinc_op_f op,
                  size_t expected);
qt_sinc_t *qt_sinc_create(size_t size, const void *initial, qt_sinc_op_f op, size_t expected);
void qt_sinc_reset(qt_sinc_t *sinc, size_t expected);
void qt_sinc_fini(qt_sinc_t *sinc);
void qt_sinc_destroy(qt_sinc_t *sinc);
void qt_sinc_expect(qt_sinc_t *sinc, size_t count);
void qt_sinc_submit(qt_sinc_t *TEFF_RESTRICT sinc, const void *TEFF_RESTRICT value);
/* `target` may be NULL. */
void qt_sinc_wait(qt_sinc_t *TEFF_RESTRICT sinc, void *TEFF_RESTRICT target);

Q_ENDCXX

#endif
