/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' wavefront: a lattice each of whose elements is computed from its neighbours at the left, below, and at the
 * left below. Defined in array_patterns.cpp.
 */
#ifndef TEFF_QTHREAD_WAVEFRONT_H
#define TEFF_QTHREAD_WAVEFRONT_H

#include "qarray.h"

Q_STARTCXX

/* Computes one element from its neighbours. */
typedef void (*wave_comp_f)(const void *TEFF_RESTRICT left, const void *TEFF_RESTRICT left_down,
                            const void *TEFF_RESTRICT down, void *TEFF_RESTRICT result);
/* Part of Qthreads' interface; no function takes one. */
typedef void (*wave_f)(qarray *TEFF_RESTRICT left, qarray *TEFF_RESTRICT below, void **lattice);
/* A lattice of results. */
typedef struct qt_wavefront_lattice_s qt_wavefront_lattice;

/* Computes a lattice with a row for each element of `left`, from below, and a column for each element of `below` after
 * the first one, which is the corner at the left below. Elements of both arrays and of the lattice have one size. NULL:
 * they have not, `below` has no second element, or there is no memory. */
qt_wavefront_lattice *qt_wavefront(qarray *TEFF_RESTRICT left, qarray *TEFF_RESTRICT below, wave_comp_f function);
/* Prints the lattice to stdout, the topmost row first: as doubles if elements have 8 bytes, and otherwise their
 * bytes. */
void qt_wavefront_print_lattice(const qt_wavefront_lattice *lattice);
void qt_wavefront_destroy_lattice(qt_wavefront_lattice *lattice); /* frees the lattice; NULL has no effect */

/* The same for an array of `cols` columns with `rows` numbers each, of which the first column and the first number of
 * each column are given. Computes all others in place. */
void qt_basic_wavefront(int *TEFF_RESTRICT const *lattice, size_t cols, size_t rows, wave_comp_f function);

Q_ENDCXX

#endif
