/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' pools: memory for many items of one size. Any thread may call any function of a pool, but for
 * qpool_create() and qpool_destroy() at the same time as another.
 */
#ifndef TEFF_QTHREAD_QPOOL_H
#define TEFF_QTHREAD_QPOOL_H

#include <stddef.h>

#include "common.h"

Q_STARTCXX

/* A pool. */
typedef struct qt_mpool_s qpool;

qpool *qpool_create(size_t item_size); /* a pool of items that may hold any type; NULL: there is no memory */
/* A pool of items at multiples of `alignment`, a power of two; 0: as qpool_create(). NULL: there is no memory, or the
 * alignment is none. */
qpool *qpool_create_aligned(size_t item_size, size_t alignment);
void *qpool_alloc(qpool *pool); /* an item, with any content; NULL: there is no memory */
void qpool_free(qpool *TEFF_RESTRICT pool, void *TEFF_RESTRICT item); /* gives an item back to its pool */
void qpool_destroy(qpool *pool); /* frees the pool with all its items */

Q_ENDCXX

#endif
