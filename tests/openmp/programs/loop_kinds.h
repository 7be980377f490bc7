// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For programs that try a loop in every schedule, over every type: each includes this file after it has defined
//   LOOP_CLAUSE    the clauses of the loop
// It defines check_all_types(), which runs loops over four types, up and down, with several steps, in the middle of the
// type and near its ends, and compares what they ran with a serial loop. The last value must be right, too.
#include "expect.h"

enum { most_iterations = 40 };

#define LOOP_PRAGMA(text) _Pragma(#text)
#define LOOP_FOR(clauses) LOOP_PRAGMA(omp for lastprivate(last) clauses)

#define DEFINE_CHECK(type, name)                                                                                       \
    static void check_##name(type from, int length, int step) {                                                        \
        int runs[most_iterations + 1] = {0}, expected = 0;                                                             \
        const type size = (type)(step < 0 ? -step : step);                                                             \
        const type end = step < 0 ? (type)(from - (type)length) : (type)(from + (type)length);                         \
        type last = 0, expected_last = 0;                                                                              \
        if (step > 0) {                                                                                                \
            _Pragma("omp parallel") LOOP_FOR(LOOP_CLAUSE) for (type i = from; i < end; i += size) {                    \
                __atomic_fetch_add(&runs[(i - from) / size], 1, __ATOMIC_RELAXED);                                     \
                last = i;                                                                                              \
            }                                                                                                          \
            for (type i = from; i < end; i += size, expected++)                                                        \
                expected_last = i;                                                                                     \
        } else {                                                                                                       \
            _Pragma("omp parallel") LOOP_FOR(LOOP_CLAUSE) for (type i = from; i > end; i -= size) {                    \
                __atomic_fetch_add(&runs[(from - i) / size], 1, __ATOMIC_RELAXED);                                     \
                last = i;                                                                                              \
            }                                                                                                          \
            for (type i = from; i > end; i -= size, expected++)                                                        \
                expected_last = i;                                                                                     \
        }                                                                                                              \
        for (int i = 0; i <= most_iterations; i++)                                                                     \
            EXPECT_EQUAL(runs[i], i < expected);                                                                       \
        EXPECT(expected == 0 || last == expected_last);                                                                \
    }                                                                                                                  \
    /* `low` and `high` leave room for one step beyond the end, as the serial loop needs it. */                        \
    static void check_all_##name(type low, type middle, type high, int has_down) {                                     \
        for (int length = 0; length <= most_iterations; length += length < 10 ? 1 : 15)                                \
            for (int step = 1; step <= 3; step++) {                                                                    \
                check_##name(low, length, step);                                                                       \
                check_##name(middle, length, step);                                                                    \
                check_##name((type)(high - (type)length - 3), length, step);                                           \
                if (!has_down)                                                                                         \
                    continue;                                                                                          \
                check_##name((type)(low + (type)length + 3), length, -step);                                           \
                check_##name(middle, length, -step);                                                                   \
                check_##name(high, length, -step);                                                                     \
            }                                                                                                          \
    }

DEFINE_CHECK(int, int)
DEFINE_CHECK(unsigned, unsigned)
DEFINE_CHECK(long long, long_long)
DEFINE_CHECK(unsigned long long, unsigned_long_long)

static void check_all_types(void) {
    const int most_int = 0x7fffffff;
    const long long most_long_long = 0x7fffffffffffffff;
    // GCC 12 loses the sign of a step that is not a constant, and passes a step of 4294967295.
#ifdef __clang__
    const int has_unsigned_down = 1;
#else
    const int has_unsigned_down = 0;
#endif
    check_all_int(-most_int - 1, -7, most_int, 1);
    check_all_unsigned(0, 1U << 31, ~0U, has_unsigned_down);
    check_all_long_long(-most_long_long - 1, -7, most_long_long, 1);
    check_all_unsigned_long_long(0, 1ULL << 63, ~0ULL, 1);
}
