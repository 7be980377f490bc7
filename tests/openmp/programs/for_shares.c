// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops and sections whose threads share more than iterations: lastprivate(conditional), scan, and reductions over
// tasks, in every schedule, ordered or not, with nowait. Compilers: gcc, clang. (Clang 19 takes a conditional
// lastprivate for a plain one.)
#include "expect.h"

#ifdef __clang__
#define EXPECT_LAST(actual, expected) (void)(actual)
#else
// The compiler's own code reads the private variable of a section that has not assigned to it.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#define EXPECT_LAST(actual, expected) EXPECT_EQUAL(actual, expected)
#endif

enum { length = 300, rounds = 3 };

static int values[length], sums[length];
static int last, sum, next_ordered;

#define PRAGMA(text) _Pragma(#text)

// Every seventh iteration of the first two thirds assigns to `last`. (In the function of the parallel region GCC gives
// the loop memory of its own, which it clears only once.)
#define DEFINE_CHECK(name, type, clauses)                                                                              \
    static void find_last_##name(void) {                                                                               \
        PRAGMA(omp for lastprivate(conditional : last) clauses) for (type i = 0; i < length; i++) {                    \
            if (i % 7 == 3 && i < 200)                                                                                 \
                last = (int)i;                                                                                         \
        }                                                                                                              \
    }                                                                                                                  \
    static void check_##name(void) {                                                                                   \
        last = -1, sum = 0;                                                                                            \
        _Pragma("omp parallel") for (int round = 0; round < rounds; round++) {                                         \
            find_last_##name();                                                                                        \
            PRAGMA(omp for reduction(task, + : sum) clauses) for (type i = 1; i <= length; i++) {                      \
                _Pragma("omp task in_reduction(+ : sum)") sum += (int)i;                                               \
            }                                                                                                          \
            PRAGMA(omp for ordered reduction(task, + : sum) clauses) for (type i = 1; i <= length; i++) {              \
                _Pragma("omp task in_reduction(+ : sum)") sum += (int)i;                                               \
                _Pragma("omp ordered") next_ordered += next_ordered + 1 == (int)i;                                     \
            }                                                                                                          \
            _Pragma("omp single") {                                                                                    \
                EXPECT_LAST(last, 199);                                                                                \
                EXPECT_EQUAL(next_ordered, length);                                                                    \
                last = next_ordered = 0;                                                                               \
            }                                                                                                          \
        }                                                                                                              \
        EXPECT_EQUAL(sum, rounds * length * (length + 1));                                                             \
    }
#define DEFINE_CHECKS(name, clauses)                                                                                   \
    DEFINE_CHECK(name, int, clauses)                                                                                   \
    DEFINE_CHECK(unsigned_##name, unsigned long long, clauses)

DEFINE_CHECKS(default, )
DEFINE_CHECKS(static, schedule(static))
DEFINE_CHECKS(static_7, schedule(static, 7))
DEFINE_CHECKS(dynamic, schedule(dynamic))
DEFINE_CHECKS(dynamic_7, schedule(dynamic, 7))
DEFINE_CHECKS(guided_5, schedule(guided, 5))
DEFINE_CHECKS(runtime, schedule(runtime))

static void check_nowait(void) {
    int first = -1, second = -1;
#pragma omp parallel
    {
#pragma omp for lastprivate(conditional : first) nowait schedule(dynamic, 3)
        for (int i = 0; i < length; i++)
            if (i < 100)
                first = i;
#pragma omp for lastprivate(conditional : second) schedule(static, 4)
        for (int i = 0; i < length; i++)
            if (i < 250)
                second = i;
    }
    EXPECT_LAST(first, 99);
    EXPECT_LAST(second, 249);
}

static void check_scan(void) {
    int running = 0;
#pragma omp parallel for reduction(inscan, + : running)
    for (int i = 0; i < length; i++) {
        running += values[i];
#pragma omp scan inclusive(running)
        sums[i] = running;
    }
    for (int i = 0, expected = 0; i < length; i++)
        EXPECT_EQUAL(sums[i], expected += values[i]);
    running = 0;
#pragma omp parallel for reduction(inscan, + : running)
    for (int i = 0; i < length; i++) {
        sums[i] = running;
#pragma omp scan exclusive(running)
        running += values[i];
    }
    for (int i = 0, expected = 0; i < length; expected += values[i++])
        EXPECT_EQUAL(sums[i], expected);
}

static void check_sections(void) {
    last = sum = 0;
#pragma omp parallel
    for (int round = 0; round < rounds; round++) {
#pragma omp sections lastprivate(conditional : last) reduction(task, + : sum)
        {
#pragma omp section
            last = 1;
#pragma omp section
            {
                if (round >= 0)
                    last = 2;
#pragma omp task in_reduction(+ : sum)
                sum += 10;
            }
#pragma omp section
            if (round < 0)
                last = 3;
        }
    }
    EXPECT_LAST(last, 2);
    EXPECT_EQUAL(sum, 10 * rounds);
}

int main(void) {
    for (int i = 0; i < length; i++)
        values[i] = i * i % 17;
    check_default();
    check_unsigned_default();
    check_static();
    check_unsigned_static();
    check_static_7();
    check_unsigned_static_7();
    check_dynamic();
    check_unsigned_dynamic();
    check_dynamic_7();
    check_unsigned_dynamic_7();
    check_guided_5();
    check_unsigned_guided_5();
    check_runtime();
    check_unsigned_runtime();
    check_nowait();
    check_scan();
    check_sections();
    return expectations_failed;
}
