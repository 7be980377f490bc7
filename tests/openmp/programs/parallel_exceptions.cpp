// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exceptions that are thrown and caught inside regions, critical sections and tasks, and in functions that regions
// call. Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>
#include <stdexcept>
#include <string>

namespace {

int depth_of(int n) {
    if (n == 0)
        throw std::runtime_error("bottom");
    return depth_of(n - 1) + 1;
}

// The handler of the calling function is outside of the critical section.
void throw_after_critical(int* count) {
    bool is_odd;
#pragma omp critical
    is_odd = ++*count % 2 == 1;
    if (is_odd)
        throw 1;
}

}  // namespace

int main() {
    int team = 0, caught = 0, in_tasks = 0, count = 0, odd = 0;
#pragma omp parallel
    {
#pragma omp master
        team = omp_get_num_threads();
        try {
            depth_of(10);
        } catch (const std::exception& error) {
            EXPECT(error.what() == std::string("bottom"));
#pragma omp atomic
            caught++;
        }
        for (int i = 0; i < 10; ++i) {
#pragma omp task shared(in_tasks)
            {
                try {
                    depth_of(3);
                } catch (...) {
#pragma omp atomic
                    in_tasks++;
                }
            }
        }
        for (int i = 0; i < 10; ++i) {
            try {
                throw_after_critical(&count);
            } catch (int) {
#pragma omp atomic
                odd++;
            }
        }
    }
    EXPECT_EQUAL(caught, team);
    EXPECT_EQUAL(in_tasks, 10 * team);
    EXPECT_EQUAL(count, 10 * team);
    EXPECT_EQUAL(odd, 5 * team);

    // A region inside a try block, after which an exception is thrown.
    bool arrived = false;
    try {
#pragma omp parallel
        {
#pragma omp barrier
        }
        throw 5;
    } catch (int value) {
        arrived = value == 5;
    }
    EXPECT(arrived);
    return expectations_failed;
}
