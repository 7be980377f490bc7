/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * The name by which programs of Qthreads include what is in common.h.
 */
#ifndef TEFF_QTHREAD_MACROS_H
#define TEFF_QTHREAD_MACROS_H

#include "common.h"

#endif
