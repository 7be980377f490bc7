// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cancel for and cancel sections: the others notice at their cancellation points, nobody runs the rest, and what comes
// after the construct is not cancelled, the same construct a second time included.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

enum { iterations = 100000 };
static int ran, after, team, wakes;

static void count(int *counter) {
    __atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

// Each thread goes on until somebody has cancelled, so the loops end early or never.
#define CANCELLED_LOOP(schedule)                                                                                       \
    ran = after = 0;                                                                                                   \
    _Pragma("omp parallel")                                                                                            \
    {                                                                                                                  \
        for (int round = 0; round < 3; round++) {                                                                      \
            _Pragma(schedule)                                                                                          \
            for (int i = 0; i < iterations; i++) {                                                                     \
                count(&ran);                                                                                           \
                _Pragma("omp cancel for if(i == 10 || i > iterations / 2)")                                            \
                _Pragma("omp cancellation point for")                                                                  \
            }                                                                                                          \
            count(&after);                                                                                             \
        }                                                                                                              \
        _Pragma("omp single")                                                                                          \
        team = omp_get_num_threads();                                                                                  \
    }                                                                                                                  \
    EXPECT_EQUAL(after, 3 * team);                                                                                     \
    EXPECT(ran < 3 * iterations);

static void cancel_loops(void) {
    CANCELLED_LOOP("omp for")
    CANCELLED_LOOP("omp for schedule(static, 3)")
    CANCELLED_LOOP("omp for schedule(dynamic)")
    CANCELLED_LOOP("omp for schedule(guided, 5)")
    CANCELLED_LOOP("omp for schedule(runtime)")
    CANCELLED_LOOP("omp for collapse(1)")
}

static void others_are_not_cancelled(void) {
    int first = 0, second = 0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : first)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancel for
            first += 1;
        }
#pragma omp for reduction(+ : second) schedule(dynamic)
        for (int i = 0; i < 1000; i++) {
#pragma omp cancellation point for
            second++;
        }
    }
    EXPECT_EQUAL(first, 0);
    EXPECT_EQUAL(second, 1000);
    second = 0;
#pragma omp parallel for reduction(+ : second)
    for (int i = 0; i < 1000; i++) {
#pragma omp cancel for if (0)
        second++;
    }
    EXPECT_EQUAL(second, 1000);
}

// Combined constructs. (GCC makes the inner one nowait, and then warns that it is.)
#if defined(__clang__)
static void cancel_parallel_for(void) {
    ran = 0;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < iterations; i++) {
        count(&ran);
#pragma omp cancel for
    }
    EXPECT(ran >= 1);
    EXPECT(ran <= omp_get_max_threads());
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp cancel sections
            expect(0, __FILE__, __LINE__, "a canceller goes on");
        }
    }
}
#endif

// One section cancels; each of the others runs until it sees that, or is not begun any more.
static void cancel_sections(void) {
    after = wakes = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
                count(&wakes);
#pragma omp cancel sections
                expect(0, __FILE__, __LINE__, "a canceller goes on");
            }
#pragma omp section
            {
                // A thread alone gets here only if the cancelled construct goes on.
                while (omp_get_num_threads() > 1) {
#pragma omp cancellation point sections
                }
                expect(0, __FILE__, __LINE__, "a section is begun after its construct was cancelled");
            }
        }
        count(&after);
#pragma omp single
        team = omp_get_num_threads();
    }
    EXPECT_EQUAL(wakes, 1);
    EXPECT_EQUAL(after, team);
}

int main(void) {
    EXPECT(omp_get_cancellation());
    for (int round = 0; round < 20; round++) {
        cancel_loops();
        others_are_not_cancelled();
#if defined(__clang__)
        cancel_parallel_for();
#endif
        cancel_sections();
    }
    return expectations_failed;
}
