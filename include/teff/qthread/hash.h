/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * Qthreads' hash functions. The values differ from those of Qthreads. Defined in dictionary.cpp.
 */
#ifndef TEFF_QTHREAD_HASH_H
#define TEFF_QTHREAD_HASH_H

#include "qthread.h"

Q_STARTCXX

/* A start value for qt_hash_bytes(): 2 to the power of 64, divided by the golden ratio. */
#define GOLDEN_RATIO 0x9e3779b97f4a7c13LL
uint64_t qt_hash64(uint64_t key); /* a hash of a number; different for different numbers */
/* A hash of `bytes` bytes at `key`, which begins with `state`: a start value, or the hash of what comes before. */
aligned_t qt_hash_bytes(void *key, size_t bytes, aligned_t state);

Q_ENDCXX

#endif
