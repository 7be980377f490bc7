// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task untied if(0), with tasks inside and with private objects: Clang's code calls the first part of such a task
// itself, and the runtime the others. libomp 19 with assertions stops at the tasks inside. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>

namespace {

std::atomic<int> alive{0};

struct counted {
    int value = 7;
    counted() { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
};

int fib(int n, int depth) {
    int left = -1, right = -1;
    if (n < 2)
        return n;
#pragma omp task untied shared(left) firstprivate(n) if (depth < 3)
    left = fib(n - 1, depth + 1);
#pragma omp task untied shared(right) firstprivate(n) if (depth < 3)
    right = fib(n - 2, depth + 1);
#pragma omp taskwait
    return left + right;
}

void with_objects() {
    counted given;
    int sum = 0;
#pragma omp task untied if (0) firstprivate(given) shared(sum)
    {
        EXPECT_EQUAL(alive, 2);
        sum += given.value;
#pragma omp taskyield
        sum += given.value;
#pragma omp task shared(sum)
        sum += 100;
#pragma omp taskwait
        sum += given.value;
    }
    EXPECT_EQUAL(sum, 121);
    EXPECT_EQUAL(alive, 1);
}

}  // namespace

int main() {
    for (int round = 0; round < 10; ++round) {
        int result = 0;
#pragma omp parallel
#pragma omp single
        {
            result = fib(12, 0);
            with_objects();
        }
        EXPECT_EQUAL(result, 144);
        EXPECT_EQUAL(alive, 0);
    }
    return expectations_failed;
}
