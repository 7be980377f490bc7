// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The monotonic modifier: a thread's iterations go up. nonmonotonic and the simd modifier: every iteration runs once.
// Compilers: gcc, clang.
#include "expect.h"

enum { length = 2000 };

static int runs[length];

#define CHECK(clause, is_monotonic)                                                                                    \
    do {                                                                                                               \
        _Pragma("omp parallel") {                                                                                      \
            int before = -1;                                                                                           \
            _Pragma(clause) for (int i = 0; i < length; i++) {                                                         \
                EXPECT(i > before || !is_monotonic);                                                                   \
                before = i;                                                                                            \
                runs[i]++;                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
        for (int i = 0; i < length; i++) {                                                                             \
            EXPECT_EQUAL(runs[i], 1);                                                                                  \
            runs[i] = 0;                                                                                               \
        }                                                                                                              \
    } while (0)

int main(void) {
    CHECK("omp for schedule(static)", 1);
    CHECK("omp for schedule(monotonic : static, 3)", 1);
    CHECK("omp for schedule(monotonic : dynamic)", 1);
    CHECK("omp for schedule(monotonic : dynamic, 9)", 1);
    CHECK("omp for schedule(monotonic : guided)", 1);
    CHECK("omp for schedule(monotonic : guided, 4)", 1);
    CHECK("omp for schedule(monotonic : runtime)", 1);
    CHECK("omp for schedule(nonmonotonic : dynamic)", 0);
    CHECK("omp for schedule(nonmonotonic : dynamic, 9)", 0);
    CHECK("omp for schedule(nonmonotonic : guided, 2)", 0);
    CHECK("omp for schedule(nonmonotonic : runtime)", 0);
    CHECK("omp for schedule(dynamic) ordered", 1);
    return expectations_failed;
}
