// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atomic over a type that is wider than a processor's atomic operation, which the runtime protects. Clang would call
// libatomic for it. Compilers: gcc.
#include "expect.h"
#include <omp.h>

enum { turns = 500 };

int main(void) {
    long double sum = 0, captured = 0, most = 0, product = 1, written = 0;
#pragma omp parallel
    for (int i = 0; i < turns; i++) {
        long double seen;
#pragma omp atomic
        sum += 0.5L;
#pragma omp atomic capture
        {
            seen = captured;
            captured += 1;
        }
#pragma omp critical
        most = seen > most ? seen : most;
#pragma omp atomic
        product *= -1;
#pragma omp atomic write
        written = i;
    }
    const int all = turns * omp_get_max_threads();
    EXPECT(sum == 0.5L * all);
    EXPECT(captured == all);
    EXPECT(most == all - 1);
    EXPECT(product == (all % 2 == 0 ? 1 : -1));
    EXPECT(written == turns - 1);
    return expectations_failed;
}
