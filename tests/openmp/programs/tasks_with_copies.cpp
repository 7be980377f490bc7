// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// firstprivate objects of C++ classes in tasks: copied when the task is created, destroyed when it has run, as often as
// constructed. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <vector>

namespace {
std::atomic<int> alive{0};

struct counted {
    int value;
    std::vector<int> data;
    explicit counted(int v) : value(v), data(10, v) { alive++; }
    counted(const counted& other) : value(other.value), data(other.data) { alive++; }
    counted& operator=(const counted&) = delete;
    ~counted() { alive--; }
};
}

int main() {
    std::atomic<int> sum{0};
    const int count = 1000;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < count; i++) {
        counted item(i);
#pragma omp task firstprivate(item) shared(sum)
        {
            EXPECT_EQUAL(item.value, i);
            EXPECT_EQUAL(item.data.size(), 10);
            EXPECT_EQUAL(item.data[9], i);
            sum += item.value;
            item.value = -1;
        }
        item.value = -2;
    }
    EXPECT_EQUAL(sum, count * (count - 1) / 2);
    EXPECT_EQUAL(alive, 0);
    return expectations_failed;
}
