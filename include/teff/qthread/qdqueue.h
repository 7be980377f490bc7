/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' distributed queue of pointers: a part for each shepherd, each of them first in, first out. An element is
 * taken from the part of the caller's shepherd if there is one, and else from that of another. Any thread may call any
 * function, but qdqueue_destroy() at the same time as another.
 */
#ifndef TEFF_QTHREAD_QDQUEUE_H
#define TEFF_QTHREAD_QDQUEUE_H

#include "qthread.h"

Q_STARTCXX

/* A queue. */
typedef struct qdqueue_s qdqueue_t;

qdqueue_t *qdqueue_create(void);          /* an empty queue; NULL: there is no memory */
int qdqueue_destroy(qdqueue_t *queue);    /* frees the queue; QTHREAD_BADARGS: NULL */
/* Adds an element, which must not be NULL, to the part of the caller's shepherd. QTHREAD_BADARGS,
 * QTHREAD_MALLOC_ERROR. */
int qdqueue_enqueue(qdqueue_t *queue, void *element);
/* The same for the part of that shepherd. Also QTHREAD_BADARGS if there is none with this number. */
int qdqueue_enqueue_there(qdqueue_t *queue, void *element, qthread_shepherd_id_t there);
void *qdqueue_dequeue(qdqueue_t *queue);  /* takes an element; NULL: the queue is empty */
int qdqueue_empty(qdqueue_t *queue);      /* 1: it is empty; 0: it is not. A hint if other threads use it. */

Q_ENDCXX

#endif
