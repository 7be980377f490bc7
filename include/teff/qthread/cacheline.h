/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The size of a cache line, as Qthreads' programs ask for it. Defined in qtimer.cpp.
 */
#ifndef TEFF_QTHREAD_CACHELINE_H
#define TEFF_QTHREAD_CACHELINE_H

#include "common.h"

Q_STARTCXX

/* The bytes of a line of the data cache: as the system says, or else 64. Any thread. */
int qthread_cacheline(void);

Q_ENDCXX

#endif
