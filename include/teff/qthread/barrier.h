/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' barrier: opens each time that a number of qthreads have entered it.
 */
#ifndef TEFF_QTHREAD_BARRIER_H
#define TEFF_QTHREAD_BARRIER_H

#include "qthread.h"

Q_STARTCXX

/* For qt_barrier_create(). */
typedef enum {
    REGION_BARRIER, /* the same barrier as the other */
    LOOP_BARRIER    /* the same barrier as the other */
} qt_barrier_btype;
/* For qt_barrier_dump(). */
typedef enum {
    UPLOCK,   /* has no effect */
    DOWNLOCK, /* has no effect */
    BOTHLOCKS /* has no effect */
} qt_barrier_dtype;
/* A barrier. */
typedef struct qt_barrier_s qt_barrier_t;

/* Makes a barrier for so many qthreads or other threads, at least 1; NULL: there is no memory. */
qt_barrier_t *qt_barrier_create(size_t max_threads, qt_barrier_btype type);
/* Returns when as many as the barrier is for have entered it, this call included. Any thread. */
void qt_barrier_enter(qt_barrier_t *barrier);
/* The same as qt_barrier_enter(): the number has no effect. */
void qt_barrier_enter_id(qt_barrier_t *barrier, size_t id);
void qt_barrier_destroy(qt_barrier_t *barrier);             /* frees a barrier in which none waits */
void qt_barrier_resize(qt_barrier_t *barrier, size_t size); /* as a new one; none may wait in it */
/* Prints to stdout for how many the barrier is and how many wait in it. */
void qt_barrier_dump(qt_barrier_t *barrier, qt_barrier_dtype what);

qt_barrier_t *qt_get_barrier(void);             /* what qt_set_barrier() was given; NULL: nothing */
void qt_set_barrier(qt_barrier_t *barrier);     /* the calling qthread keeps this pointer */

Q_ENDCXX

#endif
