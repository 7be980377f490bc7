/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' queue of pointers, first in, first out, without a limit. Any thread may call any function, but
 * qlfqueue_destroy() at the same time as another.
 */
#ifndef TEFF_QTHREAD_QLFQUEUE_H
#define TEFF_QTHREAD_QLFQUEUE_H

#include "qthread.h"

Q_STARTCXX

/* A queue. */
typedef struct qlfqueue_s qlfqueue_t;

qlfqueue_t *qlfqueue_create(void);          /* an empty queue; NULL: there is no memory */
int qlfqueue_destroy(qlfqueue_t *queue);    /* frees the queue; QTHREAD_BADARGS: NULL */
/* Adds an element, which must not be NULL. QTHREAD_BADARGS, QTHREAD_MALLOC_ERROR. */
int qlfqueue_enqueue(qlfqueue_t *queue, void *element);
void *qlfqueue_dequeue(qlfqueue_t *queue);  /* takes the oldest element; NULL: the queue is empty */
int qlfqueue_empty(qlfqueue_t *queue);      /* 1: it is empty; 0: it is not. A hint if other threads use it. */

Q_ENDCXX

#endif
