// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a program of this folder checks what it computes, in C and C++. EXPECT(condition) and EXPECT_EQUAL(actual,
// expected) may be called by any thread; a failure prints one line. main() ends with `return expectations_failed;`.
#pragma once
#include <stdio.h>

static int expectations_failed;

static inline void expectation_failed(void) {
    __atomic_store_n(&expectations_failed, 1, __ATOMIC_RELAXED);
}

static inline void expect(int holds, const char *file, int line, const char *text) {
    if (!holds) {
        fprintf(stderr, "%s:%d: wrong: %s\n", file, line, text);
        expectation_failed();
    }
}

static inline void expect_equal(long long actual, long long expected, const char *file, int line, const char *text) {
    if (actual != expected) {
        fprintf(stderr, "%s:%d: %s is %lld, not %lld\n", file, line, text, actual, expected);
        expectation_failed();
    }
}

#define EXPECT(condition) expect(!!(condition), __FILE__, __LINE__, #condition)
#define EXPECT_EQUAL(actual, expected) \
    expect_equal((long long)(actual), (long long)(expected), __FILE__, __LINE__, #actual)
