/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' distributed arrays: segments of elements, each with a shepherd on which loops over the array work on it.
 *
 * An element is found by its index in a few instructions (qarray_elem()). Elements of a segment lie one behind the
 * other; between segments may be a gap. A function that is called with a part of an array gets elements of one segment.
 * One thread at a time may change the distribution of an array.
 */
#ifndef TEFF_QTHREAD_QARRAY_H
#define TEFF_QTHREAD_QARRAY_H

#include <stdint.h>

#include "qloop.h"

Q_STARTCXX

/* How segments are distributed over the shepherds. */
typedef enum {
    FIXED_HASH = 0, /* by the address of the segment; cannot be changed */
    FIXED_FIELDS,   /* equal ranges of segments; cannot be changed */
    ALL_SAME,       /* of an array that was made: all on one shepherd; in a call the same as ALL_LOCAL */
    DIST,           /* of an array that was made: can be changed for each segment; in a call the same as DIST_RAND */
    DIST_STRIPES,   /* DIST, one after the other */
    DIST_FIELDS,    /* DIST, equal ranges of segments */
    DIST_RAND,      /* DIST, at random */
    DIST_LEAST,     /* DIST, each where the fewest segments are */
    ALL_LOCAL,      /* ALL_SAME, on the caller's shepherd */
    ALL_RAND,       /* ALL_SAME, on one that is chosen at random */
    ALL_LEAST       /* ALL_SAME, on the one with the fewest segments */
} distribution_t;

/* An array. Its fields may be read. */
typedef struct qarray_s {
    size_t unit_size;          /* bytes from one element of a segment to the next */
    size_t count;              /* how many elements there are */
    size_t segment_size;       /* elements of a segment */
    size_t segment_bytes;      /* bytes from one segment to the next */
    char *base_ptr;            /* the first segment */
    distribution_t dist_type;  /* FIXED_HASH, FIXED_FIELDS, ALL_SAME or DIST */
    qthread_shepherd_id_t *shepherds; /* of the segments */
} qarray;

/* Is called with the elements `first` to `last` - 1 of an array. */
typedef void (*qa_loop_f)(size_t first, size_t last, qarray *array, void *argument);
/* The same; stores a value at `ret`. */
typedef void (*qa_loopr_f)(size_t first, size_t last, qarray *array, void *argument, void *ret);
/* The same for an array that is only read. */
typedef void (*qa_cloop_f)(size_t first, size_t last, const qarray *array, void *argument);

/* An array of `count` elements of at least `unit_size` bytes, rounded up to a multiple of 8, which are 0 at first;
 * distributed as FIXED_HASH. NULL: there is no memory, or one of the numbers is 0. */
qarray *qarray_create(size_t count, size_t unit_size);
qarray *qarray_create_tight(size_t count, size_t unit_size); /* the same without rounding up */
/* The same. tight: whether the size is not rounded up. segment_pages: pages of memory in a segment; 0: 16, or more if
 * an element needs more. */
qarray *qarray_create_configured(size_t count, size_t unit_size, distribution_t distribution, char tight,
                                 int segment_pages);
void qarray_destroy(qarray *array); /* frees the array */

/* Calls function(element) for each element from `first` to `last` - 1, on the shepherd of its segment. Returns when all
 * calls have. */
void qarray_iter(qarray *array, size_t first, size_t last, qthread_f function);
/* The same for the parts of the range that lie in one segment. */
void qarray_iter_loop(qarray *array, size_t first, size_t last, qa_loop_f function, void *argument);
/* The same, but returns at once. `ret` is empty until all calls have returned; then it is full, with the value 0. */
void qarray_iter_loop_nb(qarray *array, size_t first, size_t last, qa_loop_f function, void *argument, aligned_t *ret);
/* The same as qarray_iter_loop() for an array that is only read. */
void qarray_iter_constloop(const qarray *array, size_t first, size_t last, qa_cloop_f function, void *argument);
/* As qarray_iter_loop(); each part gives a value of `ret_size` bytes, and accumulate(ret, value) adds them up in `ret`,
 * beginning with a copy of the first one, in any order. With an empty range `ret` stays as it is. */
void qarray_iter_loopaccum(qarray *array, size_t first, size_t last, qa_loopr_f function, void *argument, void *ret,
                           size_t ret_size, qt_accum_f accumulate);

/* Moves the segment of an element to another shepherd. Has no effect on arrays other than DIST, nor if there is no such
 * shepherd. */
void qarray_set_shepof(qarray *array, size_t index, qthread_shepherd_id_t shepherd);
/* The shepherd of the segment of an element; NO_SHEPHERD if there is no such element. */
qthread_shepherd_id_t qarray_shepof(const qarray *array, size_t index);
/* Distributes `changed` as `like`. Has no effect unless `changed` is DIST, with as many segments. */
void qarray_dist_like(const qarray *like, qarray *changed);

/* The same as qarray_elem_nomigrate(). */
#define qarray_elem(array, index) qarray_elem_nomigrate(array, index)
/* The address of an element; the caller migrates to its shepherd if it is a fiber. NULL: there is no such element. */
void *qarray_elem_migrate(const qarray *array, size_t index);
/* The address of an element; NULL if there is none with that index. */
static inline void *qarray_elem_nomigrate(const qarray *array, size_t index) {
    if (array == NULL || index >= array->count)
        return NULL;
    return array->base_ptr + index / array->segment_size * array->segment_bytes +
           index % array->segment_size * array->unit_size;
}

Q_ENDCXX

#endif
