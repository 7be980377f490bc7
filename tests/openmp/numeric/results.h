// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program of this folder compares its results with those of another OpenMP runtime. It runs once as
// `PROGRAM write FILE SIZE` on the compiler's own runtime, and then as `PROGRAM compare FILE SIZE` on Teff's. Both runs
// call result() with the same names and counts in the same order.
#pragma once
#include "../programs/expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static FILE *results_file;
static int results_are_compared;

// Returns the size, the last argument.
static inline int open_results(int count, char **arguments) {
    if (count != 4) {
        fprintf(stderr, "usage: %s write|compare FILE SIZE\n", arguments[0]);
        exit(2);
    }
    results_are_compared = strcmp(arguments[1], "compare") == 0;
    results_file = fopen(arguments[2], results_are_compared ? "rb" : "wb");
    if (!results_file) {
        perror(arguments[2]);
        exit(2);
    }
    return atoi(arguments[3]);
}

struct result_head {
    char name[24];
    long long count;
};

// Writes these numbers, or expects that they differ from the written ones by at most `tolerance`, which is relative to
// the largest of them.
static inline void result(const char *name, const double *values, size_t count, double tolerance) {
    struct result_head head = {"", (long long)count};
    strncpy(head.name, name, sizeof head.name - 1);
    if (!results_are_compared) {
        EXPECT(fwrite(&head, sizeof head, 1, results_file) == 1);
        EXPECT(fwrite(values, sizeof *values, count, results_file) == count);
        return;
    }
    struct result_head there;
    double *other = malloc(count * sizeof *other);
    if (fread(&there, sizeof there, 1, results_file) != 1 || memcmp(&there, &head, sizeof head) != 0 ||
        fread(other, sizeof *other, count, results_file) != count) {
        fprintf(stderr, "the other runtime has no such result: %s\n", name);
        exit(1);
    }
    double largest = 0, difference = 0;
    for (size_t i = 0; i < count; i++) {
        largest = fmax(largest, fabs(other[i]));
        // Also if one of the two is not a number.
        if (!(fabs(values[i] - other[i]) <= difference))
            difference = fabs(values[i] - other[i]);
    }
    if (!(difference <= tolerance * largest)) {
        fprintf(stderr, "%s differs from the other runtime's by %g, where the largest number is %g\n", name, difference,
                largest);
        expectation_failed();
    }
    free(other);
}

// The program's exit status.
static inline int close_results(void) {
    if (results_are_compared)
        EXPECT(fgetc(results_file) == EOF);
    EXPECT(fclose(results_file) == 0);
    return expectations_failed;
}

// Numbers between -1 and 1, the same for the same seed.
static inline void fill(double *values, size_t count, unsigned seed) {
    unsigned long long state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = (double)(state >> 11) / (double)(1ull << 52) - 1;
    }
}
