// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops up to the ends of their types and with the largest steps, up and down, signed and unsigned, with every
// schedule. (A loop whose number of iterations has no room in its type, as from INT_MIN to INT_MAX, is not allowed.)
// GCC adds the step to the end, which has no room near the end of the type. Compilers: clang.
#include "expect.h"
#include <limits.h>
#include <omp.h>

#ifdef __clang__
// It says so of the number of iterations, which it computes itself.
#pragma clang diagnostic ignored "-Winteger-overflow"
#endif

static long long count;
static unsigned long long sum;

#define CHECK(clause, type, loop, iterations, total)                \
    do {                                                            \
        count = 0;                                                  \
        sum = 0;                                                    \
        _Pragma("omp parallel") {                                   \
            clause for (type loop) {                                \
                _Pragma("omp atomic") count++;                      \
                _Pragma("omp atomic") sum += (unsigned long long)i; \
            }                                                       \
        }                                                           \
        EXPECT_EQUAL(count, iterations);                            \
        EXPECT_EQUAL(sum, (unsigned long long)(total));             \
    } while (0)

#define CHECK_ALL(clause)                                                                                           \
    do {                                                                                                            \
        CHECK(clause, int, i = INT_MAX - 9; i < INT_MAX; i += 4, 3, 3LL * INT_MAX - 15);                            \
        CHECK(clause, int, i = INT_MIN + 9; i > INT_MIN; i -= 4, 3, 3LL * INT_MIN + 15);                            \
        CHECK(clause, int, i = 0; i < INT_MAX; i += INT_MAX, 1, 0);                                                 \
        CHECK(clause, int, i = INT_MAX; i > 0; i -= INT_MAX / 2, 3, 1LL * INT_MAX + INT_MAX / 2 + 2);               \
        CHECK(clause, int, i = INT_MAX; i < INT_MIN; i++, 0, 0);                                                    \
        CHECK(clause, unsigned, i = UINT_MAX - 9; i < UINT_MAX; i += 4, 3, 3LL * UINT_MAX - 15);                    \
        CHECK(clause, unsigned, i = 10; i > 0; i -= 3, 4, 22);                                                      \
        CHECK(clause, long, i = LONG_MAX - 9; i < LONG_MAX; i += 4, 3, 3ULL * LONG_MAX - 15);                       \
        CHECK(clause, long, i = LONG_MIN + 9; i > LONG_MIN; i -= 4, 3, 3ULL * LONG_MIN + 15);                       \
        CHECK(clause, long, i = 0; i < LONG_MAX; i += LONG_MAX, 1, 0);                                              \
        CHECK(clause, long, i = LONG_MAX; i < LONG_MIN; i++, 0, 0);                                                 \
        CHECK(clause, unsigned long, i = ULONG_MAX - 9; i < ULONG_MAX; i += 4, 3, 3 * ULONG_MAX - 15);              \
        CHECK(clause, unsigned long, i = 10; i > 0; i -= 3, 4, 22);                                                 \
        CHECK(clause, short, i = SHRT_MIN; i < SHRT_MAX; i += 16384, 4, 4LL * SHRT_MIN + 16384 * 6);                \
        CHECK(clause, unsigned char, i = 0; i < UCHAR_MAX; i += 85, 3, 255);                                        \
    } while (0)

int main(void) {
    CHECK_ALL(_Pragma("omp for"));
    CHECK_ALL(_Pragma("omp for schedule(static, 1)"));
    CHECK_ALL(_Pragma("omp for schedule(static, 2147483647)"));
    CHECK_ALL(_Pragma("omp for schedule(dynamic)"));
    CHECK_ALL(_Pragma("omp for schedule(dynamic, 2147483647)"));
    CHECK_ALL(_Pragma("omp for schedule(nonmonotonic : dynamic, 2)"));
    CHECK_ALL(_Pragma("omp for schedule(guided)"));
    CHECK_ALL(_Pragma("omp for schedule(guided, 2147483647)"));
    const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided, omp_sched_auto};
    for (int kind = 0; kind < 4; kind++) {
        omp_set_schedule(kinds[kind], 0);
        CHECK_ALL(_Pragma("omp for schedule(runtime)"));
        omp_set_schedule(kinds[kind], INT_MAX);
        CHECK_ALL(_Pragma("omp for schedule(runtime)"));
    }
    return expectations_failed;
}
