/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' memory in files: a file is mapped into memory, and items are allocated in it. After the end of the program
 * the file can be mapped again, and the items are where they were, at the same addresses. A static map has items of one
 * size, a dynamic one of any size.
 *
 * The layout of a file is that of this library; files of Qthreads itself cannot be loaded. One process at a time maps a
 * file, once. Functions that make a map return NULL and set errno if they cannot, with a line on stderr if the file is
 * no map, or if its addresses are in use. Any thread may call any function, but qalloc_cleanup() while others use a
 * map.
 */
#ifndef TEFF_QTHREAD_QALLOC_H
#define TEFF_QTHREAD_QALLOC_H

#include <sys/types.h>
#include <unistd.h>

#include "common.h"

Q_STARTCXX

typedef struct mapinfo_s mapinfo_t;       /* a static map */
typedef struct dynmapinfo_s dynmapinfo_t; /* a dynamic map */

/* Maps the file, which is made with `size` bytes if it does not exist or is empty, at `address`; NULL: anywhere. A file
 * that is a map already is loaded as it is. Items have `item_size` bytes. streams: has no effect. */
void *qalloc_makestatmap(off_t size, void *address, const char *file, size_t item_size, size_t streams);
/* The same for a dynamic map. */
void *qalloc_makedynmap(off_t size, void *address, const char *file, size_t streams);
void *qalloc_loadmap(const char *file); /* maps a file that is a map, of either kind */

void *qalloc_statmalloc(mapinfo_t *map);                 /* an item of a static map; NULL: the map is full */
void *qalloc_dynmalloc(dynmapinfo_t *map, size_t size);  /* an item of a dynamic map; NULL: no piece is large enough */
void *qalloc_malloc(void *map, size_t size);             /* an item of either; a static map ignores the size */
void qalloc_statfree(void *item, mapinfo_t *map);        /* gives an item back to its static map */
void qalloc_dynfree(void *item, dynmapinfo_t *map);      /* gives an item back to its dynamic map */
void qalloc_free(void *item, void *map);                 /* gives an item back to its map, of either kind */

void qalloc_checkpoint(void); /* writes all maps to their files, and returns when they are there */
void qalloc_cleanup(void);    /* the same; then all maps end, and their memory is gone */

Q_ENDCXX

#endif
