// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic over all types of numbers and all operations, from several threads at once. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdbool.h>

enum { turns = 500 };

// The sum of what all threads add is exact in every type, modulo its size.
#define CHECK_SUM(type)                                                                                                \
    do {                                                                                                               \
        type sum = 0, twice = 0, read, captured = 0;                                                                   \
        _Pragma("omp parallel private(read)") for (int i = 0; i < turns; i++) {                                        \
            _Pragma("omp atomic") sum += (type)1;                                                                      \
            _Pragma("omp atomic") twice = twice + (type)2;                                                             \
            _Pragma("omp atomic") twice -= (type)1;                                                                    \
            _Pragma("omp atomic") sum++;                                                                               \
            _Pragma("omp atomic") sum = sum - (type)1;                                                                 \
            _Pragma("omp atomic read") read = sum;                                                                     \
            _Pragma("omp atomic capture") { read = twice; twice += (type)1; }                                          \
            _Pragma("omp atomic write") captured = read;                                                               \
            (void)read;                                                                                                \
        }                                                                                                              \
        const type all = (type)(turns * omp_get_max_threads());                                                        \
        EXPECT(sum == all);                                                                                            \
        EXPECT(twice == (type)(all + all));                                                                            \
        EXPECT(captured == captured);                                                                                  \
    } while (0)

#define CHECK_BITS(type)                                                                                               \
    do {                                                                                                               \
        type ones = 0, zeros = (type)~(type)0, flips = 5, left = 1, right = (type)64, quotient = (type)127;            \
        _Pragma("omp parallel num_threads(2)") for (int i = 0; i < 7; i++) {                                           \
            _Pragma("omp atomic") ones |= (type)((type)1 << i);                                                        \
            _Pragma("omp atomic") zeros = (type)(~((type)1 << i)) & zeros;                                             \
            _Pragma("omp atomic") flips ^= (type)((type)1 << i);                                                       \
            if (i < 3) {                                                                                               \
                _Pragma("omp atomic") left <<= 1;                                                                      \
                _Pragma("omp atomic") right = right >> 1;                                                              \
                _Pragma("omp atomic") quotient /= (type)2;                                                             \
            }                                                                                                          \
        }                                                                                                              \
        EXPECT_EQUAL(ones, 127);                                                                                       \
        EXPECT_EQUAL((type)(zeros + (type)128), 0);                                                                    \
        EXPECT_EQUAL(flips, 5);                                                                                        \
        EXPECT_EQUAL(left, 64);                                                                                        \
        EXPECT_EQUAL(right, 1);                                                                                        \
        EXPECT_EQUAL(quotient, 1);                                                                                     \
    } while (0)

#define CHECK_REAL(type)                                                                                               \
    do {                                                                                                               \
        type product = 1, quotient = 1024 * 1024, reversed = 3, difference = 100;                                      \
        _Pragma("omp parallel num_threads(4)") for (int i = 0; i < 5; i++) {                                           \
            _Pragma("omp atomic") product *= 2;                                                                        \
            _Pragma("omp atomic") quotient /= 2;                                                                       \
            _Pragma("omp atomic") difference -= (type)0.5;                                                             \
            _Pragma("omp atomic") reversed = (type)5 - reversed;                                                       \
        }                                                                                                              \
        EXPECT(product == 1024 * 1024);                                                                                \
        EXPECT(quotient == 1);                                                                                         \
        EXPECT(difference == 90);                                                                                      \
        EXPECT(reversed == 3);                                                                                         \
    } while (0)

static void truth(void) {
    bool any = false, all = true;
    int number = 4;
#pragma omp parallel
    {
        const int me = omp_get_thread_num();
#pragma omp atomic
        any |= me == 0;
#pragma omp atomic
        all &= me != 0;
        // The right side is wider than the variable.
#pragma omp atomic
        number *= 1.0;
    }
    EXPECT(any);
    EXPECT(!all);
    EXPECT_EQUAL(number, 4);
}

int main(void) {
    CHECK_SUM(char);
    CHECK_SUM(signed char);
    CHECK_SUM(unsigned char);
    CHECK_SUM(short);
    CHECK_SUM(unsigned short);
    CHECK_SUM(int);
    CHECK_SUM(unsigned);
    CHECK_SUM(long);
    CHECK_SUM(unsigned long);
    CHECK_SUM(long long);
    CHECK_SUM(unsigned long long);
    CHECK_SUM(float);
    CHECK_SUM(double);
    CHECK_BITS(signed char);
    CHECK_BITS(unsigned char);
    CHECK_BITS(short);
    CHECK_BITS(unsigned short);
    CHECK_BITS(int);
    CHECK_BITS(unsigned);
    CHECK_BITS(long);
    CHECK_BITS(unsigned long);
    CHECK_REAL(float);
    CHECK_REAL(double);
    truth();
    return expectations_failed;
}
