// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For the programs about affinity: what the system says of the calling thread. To be included before all else.
#define _GNU_SOURCE
#include <sched.h>

static inline cpu_set_t current_mask(void) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    sched_getaffinity(0, sizeof mask, &mask);
    return mask;
}
