// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that shares more variables than fit into registers, and one without any. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

static int called;

int main(void) {
    int a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12, m = 13;
    char small = 14;
    short half = 15;
    float real = 16;
    double wide = 17;
    long double widest = 18;
    long long given = 19;
    int sum = 0;
#pragma omp parallel firstprivate(given, small, wide)
    {
#pragma omp critical
        {
            sum += a + b + c + d + e + f + g + h + i + j + k + l + m + small + half + (int)real + (int)wide +
                   (int)widest + (int)given;
            a++, b--, c++, d--, e++, f--, g++, h--, i++, j--, k++, l--, m--;
        }
        given = small = 0;
        wide = 0;
    }
    EXPECT_EQUAL(sum, omp_get_max_threads() * (19 * 20 / 2) - omp_get_max_threads() * (omp_get_max_threads() - 1) / 2);
    EXPECT_EQUAL(given, 19);
#pragma omp parallel
#pragma omp atomic
    called++;
    EXPECT_EQUAL(called, omp_get_max_threads());
    return expectations_failed;
}
