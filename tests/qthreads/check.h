/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * For the programs of this folder: each ends with the number of checks that have failed.
 */
#ifndef TEFF_TESTS_QTHREADS_CHECK_H
#define TEFF_TESTS_QTHREADS_CHECK_H

#include <stdio.h>

static int failed = 0;
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            printf("%s, line %d: %s\n", __FILE__, __LINE__, #condition);                                               \
            __sync_fetch_and_add(&failed, 1);                                                                          \
        }                                                                                                              \
    } while (0)

#endif
