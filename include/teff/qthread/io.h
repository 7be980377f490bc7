/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Code of a qthread that blocks its thread. Defined in io.cpp, with qt_syscalls.h.
 */
#ifndef TEFF_QTHREAD_IO_H
#define TEFF_QTHREAD_IO_H

#include "common.h"

Q_STARTCXX

/* Says that the calling qthread begins to do something that may block its thread. Until qt_end_blocking_action() its
 * qthread_shep() is NO_SHEPHERD. It stays on its worker, which runs nothing else meanwhile: see qt_syscalls.h for calls
 * that keep no worker. */
void qt_begin_blocking_action(void);
void qt_end_blocking_action(void); /* ends what qt_begin_blocking_action() has begun */

Q_ENDCXX

#endif
