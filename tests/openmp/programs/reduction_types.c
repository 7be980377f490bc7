// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reduction over all types of numbers, and of many variables at once, whose copies do not fit into one cache line.
// Compilers: gcc, clang.
#include "expect.h"
#include <complex.h>
#include <stdbool.h>

enum { length = 240 };

#define PRAGMA(text) _Pragma(#text)
#define CHECK(type)                                                                                                    \
    do {                                                                                                               \
        type sum = 1, difference = 0, product = 1, smallest = 100, largest = 1;                                        \
        PRAGMA(omp parallel for reduction(+ : sum, difference) reduction(* : product)                                  \
                   reduction(min : smallest) reduction(max : largest))                                                 \
        for (int i = 0; i < length; i++) {                                                                             \
            sum += (type)(i % 2);                                                                                      \
            difference -= (type)(i % 4 == 0 ? 1 : 0);                                                                  \
            product *= (type)(i % 60 == 0 ? 2 : 1);                                                                    \
            smallest = smallest < (type)(i % 50 + 2) ? smallest : (type)(i % 50 + 2);                                  \
            largest = largest > (type)(i % 50 + 2) ? largest : (type)(i % 50 + 2);                                     \
        }                                                                                                              \
        EXPECT(sum == (type)121);                                                                                      \
        EXPECT(difference == (type)-60);                                                                               \
        EXPECT(product == (type)16);                                                                                   \
        EXPECT(smallest == (type)2);                                                                                   \
        EXPECT(largest == (type)51);                                                                                   \
    } while (0)

static void truth(void) {
    bool any = false, all = true, none = false;
    int both = 3;
#pragma omp parallel for reduction(|| : any, none) reduction(&& : all) reduction(&& : both)
    for (int i = 0; i < length; i++) {
        any = any || i == length - 1;
        none = none || i < 0;
        all = all && i >= 0;
        both = both && i != 5;
    }
    EXPECT(any && all && !none);
    EXPECT_EQUAL(both, 0);
}

// For what is wider than a processor's atomic operation Clang would call libatomic.
#ifndef __clang__
static void complex_numbers(void) {
    double complex sum = I, product = 1;
    float complex small = 0;
#pragma omp parallel for reduction(+ : sum, small) reduction(* : product)
    for (int i = 0; i < length; i++) {
        sum += i - 2 * I;
        small += I;
        product *= I;
    }
    EXPECT(creal(sum) == length * (length - 1) / 2 && cimag(sum) == 1 - 2 * length);
    EXPECT(crealf(small) == 0 && cimagf(small) == length);
    EXPECT(creal(product) == 1 && cimag(product) == 0);
}
#endif

static void many(void) {
    struct {
        char before;
        long value;
    } unused = {1, 2};
    char a = 0;
    double b = 0;
    short c = 0;
    long long d = 0;
    long e[12] = {0};
    float f = 0;
    unsigned char g = 0;
#pragma omp parallel for reduction(+ : a, b, c, d, e, f, g) firstprivate(unused)
    for (int i = 0; i < length; i++) {
        a = (char)(a + (i % 20 == 0));
        b += 0.5;
        c = (short)(c + 1);
        d += 3;
        e[i % 12] += unused.value;
        f += 2;
        g ^= 0;
        g = (unsigned char)(g + (i % 30 == 0));
    }
    EXPECT_EQUAL(a, 12);
    EXPECT(b == 120);
    EXPECT_EQUAL(c, length);
    EXPECT_EQUAL(d, 3 * length);
    for (int i = 0; i < 12; i++)
        EXPECT_EQUAL(e[i], 40);
    EXPECT(f == 480);
    EXPECT_EQUAL(g, 8);
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        CHECK(signed char);
        CHECK(unsigned char);
        CHECK(short);
        CHECK(unsigned short);
        CHECK(int);
        CHECK(unsigned);
        CHECK(long);
        CHECK(unsigned long);
        CHECK(long long);
        CHECK(float);
        CHECK(double);
        truth();
        many();
#ifndef __clang__
        CHECK(long double);
        complex_numbers();
#endif
    }
    return expectations_failed;
}
