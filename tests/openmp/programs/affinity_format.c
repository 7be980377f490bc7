// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The affinity format and texts in it. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <string.h>

int main(void) {
    char text[256], wanted[256];
    EXPECT_EQUAL(omp_get_affinity_format(text, sizeof text), 5);
    EXPECT(strcmp(text, "hello") == 0);
    omp_set_affinity_format("level %L thread %0.3n of %{num_threads}");
    EXPECT_EQUAL(omp_get_affinity_format(text, 9), 39);
    EXPECT(strcmp(text, "level %L") == 0);
    EXPECT_EQUAL(omp_get_affinity_format(NULL, 0), 39);
#pragma omp parallel num_threads(3) private(text, wanted)
    {
        snprintf(wanted, sizeof wanted, "level 1 thread %03d of 3", omp_get_thread_num());
        EXPECT_EQUAL(omp_capture_affinity(text, sizeof text, NULL), strlen(wanted));
        EXPECT(strcmp(text, wanted) == 0);
        EXPECT_EQUAL(omp_capture_affinity(text, sizeof text, ""), strlen(wanted));
        EXPECT_EQUAL(omp_capture_affinity(text, 4, "%n%n%n%n%n"), 5);
        EXPECT_EQUAL(strlen(text), 3);
    }
    return expectations_failed;
}
