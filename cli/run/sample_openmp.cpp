// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that uses OpenMP, to be started by tests of `teff run` (samples.cmake).
#include <cstdio>
#include <omp.h>

int main() {
#pragma omp parallel
    {
#pragma omp single
        std::printf("%d threads\n", omp_get_num_threads());
    }
    return 0;
}
