// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for simd, with safelen, aligned, schedule(simd: ...), reductions and collapse; declare simd; the loop construct.
// Compilers: gcc, clang.
#include "expect.h"

enum { length = 1000 };

static _Alignas(64) float input[length], output[length];

#pragma omp declare simd uniform(factor) notinbranch
static float scale(float value, float factor) {
    return value * factor;
}

int main(void) {
    float sum = 0;
    int smallest = length, runs[10][20] = {{0}};
#pragma omp parallel
    {
#pragma omp for simd aligned(input : 64)
        for (int i = 0; i < length; i++)
            input[i] = (float)i;
#pragma omp for simd schedule(simd : static, 5)
        for (int i = 0; i < length; i++)
            output[i] = scale(input[i], 2) + 1;
        // Eight iterations may run at once.
#pragma omp for simd safelen(8) simdlen(4) schedule(simd : dynamic, 100) reduction(+ : sum) reduction(min : smallest)
        for (int i = 0; i < length; i++) {
            sum += output[i] > 500 ? 1 : 0;
            smallest = i < smallest ? i : smallest;
        }
#pragma omp for simd collapse(2)
        for (int i = 0; i < 10; i++)
            for (int j = 0; j < 20; j++)
                runs[i][j]++;
#pragma omp loop bind(parallel)
        for (int i = 0; i < 10; i++)
            runs[i][0] += 10;
    }
    for (int i = 0; i < length; i++)
        EXPECT(output[i] == 2 * i + 1);
    EXPECT(sum == 750);
    EXPECT_EQUAL(smallest, 0);
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 20; j++)
            EXPECT_EQUAL(runs[i][j], j == 0 ? 11 : 1);
    return expectations_failed;
}
