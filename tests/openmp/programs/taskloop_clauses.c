// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskloop: every iteration once; grainsize and num_tasks, also strict; nogroup, lastprivate, collapse, if, final, and
// steps of either sign; bounds at the ends of the types.
// Compilers: gcc, clang.
#include "expect.h"
#include <limits.h>
#include <omp.h>
#include <string.h>

enum { count = 1000 };
static int runs[count];

static void run(int i) {
    __atomic_fetch_add(&runs[i], 1, __ATOMIC_RELAXED);
}
static void expect_each_once(int from, int to, int step) {
    for (int i = 0; i < count; i++) {
        const int is_due = i >= from && i < to && (i - from) % step == 0;
        EXPECT_EQUAL(runs[i], is_due);
    }
    memset(runs, 0, sizeof runs);
}

static void forms(void) {
#pragma omp taskloop
    for (int i = 0; i < count; i++)
        run(i);
    expect_each_once(0, count, 1);
#pragma omp taskloop grainsize(7)
    for (int i = 10; i < count - 10; i += 3)
        run(i);
    expect_each_once(10, count - 10, 3);
#pragma omp taskloop num_tasks(13)
    for (int i = count - 1; i >= 0; i--)
        run(i);
    expect_each_once(0, count, 1);
#pragma omp taskloop if (0)
    for (unsigned i = 0; i < count; i++)
        run((int)i);
    expect_each_once(0, count, 1);
#pragma omp taskloop final(1) untied
    for (long i = 0; i < count; i++) {
        EXPECT(omp_in_final());
        run((int)i);
    }
    expect_each_once(0, count, 1);
#pragma omp taskloop collapse(2) grainsize(4)
    for (int i = 0; i < 10; i++)
        for (int k = 0; k < 100; k++)
            run(100 * i + k);
    expect_each_once(0, count, 1);
#pragma omp taskgroup
    {
#pragma omp taskloop nogroup
        for (int i = 0; i < count; i++)
            run(i);
    }
    expect_each_once(0, count, 1);
    int empty = 0;
#pragma omp taskloop shared(empty)
    for (int i = 5; i < 5; i++)
        empty = 1;
    EXPECT_EQUAL(empty, 0);
}

static void last_value(void) {
    int last = -1, i;
#pragma omp taskloop lastprivate(last) num_tasks(9)
    for (i = 0; i < count; i++)
        last = 3 * i;
    EXPECT_EQUAL(last, 3 * (count - 1));
    unsigned long long sum = 0;
#pragma omp taskloop shared(sum) grainsize(2)
    for (unsigned long long u = ULLONG_MAX - 10; u < ULLONG_MAX; u++)
        __atomic_fetch_add(&sum, ULLONG_MAX - u, __ATOMIC_RELAXED);
    EXPECT_EQUAL(sum, 55);
    long long low = 0;
#pragma omp taskloop shared(low) num_tasks(4)
    for (long long s = LLONG_MIN + 10; s > LLONG_MIN; s -= 2)
        __atomic_fetch_add(&low, s - LLONG_MIN, __ATOMIC_RELAXED);
    EXPECT_EQUAL(low, 10 + 8 + 6 + 4 + 2);
}

// Neighbouring iterations of one task have the same address of a variable of the task.
static int count_tasks(const void *const *tasks, int *smallest, int *largest) {
    int found = 0, length = 0;
    *smallest = count;
    *largest = 0;
    for (int i = 0; i <= count; i++) {
        if (i == count || (i > 0 && tasks[i] != tasks[i - 1])) {
            found++;
            *smallest = length < *smallest ? length : *smallest;
            *largest = length > *largest ? length : *largest;
            length = 0;
        }
        length++;
    }
    return found;
}

static void sizes(void) {
    // Each task gets a number at its first iteration.
    static const void *task_of[count];
    static char numbers[count];
    int next = 0, smallest, largest, own = -1;
#define NUMBERED                                                                                                       \
    if (own < 0)                                                                                                       \
        own = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);                                                          \
    task_of[i] = &numbers[own];
#pragma omp taskloop grainsize(30) firstprivate(own) shared(next)
    for (int i = 0; i < count; i++) {
        NUMBERED
    }
    count_tasks(task_of, &smallest, &largest);
    EXPECT(smallest >= 30 && largest < 60);
    next = 0;
#pragma omp taskloop num_tasks(17) firstprivate(own) shared(next)
    for (int i = 0; i < count; i++) {
        NUMBERED
    }
    EXPECT_EQUAL(count_tasks(task_of, &smallest, &largest), 17);
    EXPECT_EQUAL(next, 17);
    // Clang 19 ignores the modifier.
#if !defined(__clang__)
    next = 0;
#pragma omp taskloop grainsize(strict : 30) firstprivate(own) shared(next)
    for (int i = 0; i < count; i++) {
        NUMBERED
    }
    EXPECT_EQUAL(count_tasks(task_of, &smallest, &largest), 34);
    EXPECT_EQUAL(largest, 30);
    EXPECT_EQUAL(smallest, 10);
#endif
}

int main(void) {
    forms();
    last_value();
    sizes();
#pragma omp parallel
#pragma omp single
    {
        forms();
        last_value();
        sizes();
    }
    // Several loops at once.
#pragma omp parallel
    last_value();
    return expectations_failed;
}
