// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A user's OpenMP program: counts the threads of a region. Exit status 0 if there are as many as it asked for.
#include <cstdio>
#include <omp.h>

int main() {
    int threads = 0;
#pragma omp parallel num_threads(3)
    {
#pragma omp critical
        ++threads;
#pragma omp barrier
#pragma omp single
        std::printf("%d of %d threads\n", threads, omp_get_num_threads());
    }
    return threads == 3 ? 0 : 1;
}
