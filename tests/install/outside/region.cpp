// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of a user's Python program: counts the threads of a region.
extern "C" int threads_of_region() {
    int threads = 0;
#pragma omp parallel num_threads(3) reduction(+ : threads)
    threads += 1;
    return threads;
}
