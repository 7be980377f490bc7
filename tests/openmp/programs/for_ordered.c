// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for ordered in every schedule: the ordered regions run one after another in the order of the iterations, also where
// some iterations have none, and what stands before and after them. Compilers: gcc, clang.
#include "expect.h"

enum { length = 200 };

static int next_iteration, inside;

// Called in the ordered region of an iteration.
static void enter(int iteration, int step) {
    EXPECT_EQUAL(__atomic_fetch_add(&inside, 1, __ATOMIC_RELAXED), 0);
    EXPECT_EQUAL(next_iteration, iteration);
    next_iteration = iteration + step;
    __atomic_fetch_sub(&inside, 1, __ATOMIC_RELAXED);
}
static void check_end(int expected) {
    EXPECT_EQUAL(next_iteration, expected);
    next_iteration = 0;
}

#define CHECK(clause)                                                                                                  \
    do {                                                                                                               \
        int sum = 0;                                                                                                   \
        _Pragma("omp parallel") {                                                                                      \
            _Pragma(clause) for (int i = 0; i < length; i++) {                                                         \
                _Pragma("omp atomic") sum += i;                                                                        \
                _Pragma("omp ordered") enter(i, 1);                                                                    \
                _Pragma("omp atomic") sum += i;                                                                        \
            }                                                                                                          \
            _Pragma("omp single") check_end(length);                                                                   \
            _Pragma(clause) for (int i = 0; i < length; i++) {                                                         \
                if (i % 3 == 0)                                                                                        \
                    _Pragma("omp ordered") enter(i, 3);                                                                \
            }                                                                                                          \
        }                                                                                                              \
        check_end((length + 2) / 3 * 3);                                                                               \
        EXPECT_EQUAL(sum, length * (length - 1));                                                                      \
    } while (0)

int main(void) {
    CHECK("omp for ordered");
    CHECK("omp for ordered schedule(static)");
    CHECK("omp for ordered schedule(static, 1)");
    CHECK("omp for ordered schedule(static, 7)");
    CHECK("omp for ordered schedule(dynamic)");
    CHECK("omp for ordered schedule(dynamic, 7)");
    CHECK("omp for ordered schedule(guided)");
    CHECK("omp for ordered schedule(guided, 5)");
    CHECK("omp for ordered schedule(runtime)");
    CHECK("omp for ordered schedule(auto)");
    return expectations_failed;
}
