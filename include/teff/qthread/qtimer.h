/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' stop watches, its clock, and its random numbers.
 */
#ifndef TEFF_QTHREAD_QTIMER_H
#define TEFF_QTHREAD_QTIMER_H

#include "common.h"

Q_STARTCXX

/* A stop watch. One thread at a time may use it. */
typedef struct qtimer_s *qtimer_t;

/* A random number of all bits of an unsigned long, from a sequence of the calling thread. Not for secrets. */
unsigned long qtimer_fastrand(void);
double qtimer_wtime(void); /* the seconds since some moment in the past; they never go backwards */
double qtimer_res(void);   /* the resolution of that clock in seconds */

qtimer_t qtimer_create(void);        /* a stop watch; NULL: there is no memory */
void qtimer_destroy(qtimer_t timer); /* frees a stop watch; NULL has no effect */
void qtimer_start(qtimer_t timer);   /* notes the time as the start */
void qtimer_stop(qtimer_t timer);    /* notes the time as the stop; may be called again */
double qtimer_secs(qtimer_t timer);  /* the seconds from the start to the stop */

Q_ENDCXX

#endif
