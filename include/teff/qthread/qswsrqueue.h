/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' queue of pointers with a limit, first in, first out, for one writer and one reader. Here any number of
 * threads may call any function, but qswsrqueue_destroy() at the same time as another. A qthread that waits keeps no
 * worker.
 */
#ifndef TEFF_QTHREAD_QSWSRQUEUE_H
#define TEFF_QTHREAD_QSWSRQUEUE_H

#include "qthread.h"

Q_STARTCXX

/* A queue. */
typedef struct qswsrqueue_s qswsrqueue_t;

qswsrqueue_t *qswsrqueue_create(size_t elements);  /* an empty queue for so many elements; NULL: no memory, or for 0 */
int qswsrqueue_destroy(qswsrqueue_t *queue);       /* frees the queue; QTHREAD_BADARGS: NULL */
/* Adds an element, which must not be NULL. QTHREAD_OPFAIL: the queue is full; QTHREAD_BADARGS. */
int qswsrqueue_enqueue(qswsrqueue_t *queue, void *element);
/* The same, but waits until there is room. */
int qswsrqueue_enqueue_blocking(qswsrqueue_t *queue, void *element);
void *qswsrqueue_dequeue(qswsrqueue_t *queue);          /* takes the oldest element; NULL: the queue is empty */
void *qswsrqueue_dequeue_blocking(qswsrqueue_t *queue); /* waits for an element, and takes it */
int qswsrqueue_empty(qswsrqueue_t *queue);              /* 1: it is empty; 0: it is not. A hint in most cases. */

Q_ENDCXX

#endif
