// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much memory the process has in use, for programs that show that it does not grow.
#pragma once
#include <stdio.h>
#include <unistd.h>

// Bytes of the process that are in memory now.
static inline long resident_bytes(void) {
    long all, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%ld %ld", &all, &resident) != 2)
        resident = 0;
    if (file != NULL)
        fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}
