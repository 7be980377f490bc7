// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel with private and firstprivate objects that have constructors: each thread has a copy of its own, which ends
// with the region. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>

namespace {

std::atomic<int> alive{0}, copied{0}, made{0};

struct counted {
    int value = 5;
    counted() { ++alive, ++made; }
    explicit counted(int v) : value(v) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive, ++copied; }
    ~counted() { --alive; }
};

void objects() {
    counted given(42), scratch(7);
    int team = 0;
    copied = made = 0;
#pragma omp parallel firstprivate(given) private(scratch)
    {
        EXPECT_EQUAL(given.value, 42);
        EXPECT_EQUAL(scratch.value, 5);
        given.value += omp_get_thread_num();
        scratch.value = given.value;
#pragma omp barrier
        EXPECT_EQUAL(scratch.value, 42 + omp_get_thread_num());
#pragma omp single
        {
            team = omp_get_num_threads();
            EXPECT_EQUAL(alive, 2 + 2 * team);
        }
    }
    EXPECT_EQUAL(copied, team);
    EXPECT_EQUAL(made, team);
    EXPECT_EQUAL(alive, 2);
    EXPECT_EQUAL(given.value, 42);
    EXPECT_EQUAL(scratch.value, 7);
}

void arrays_and_references() {
    int values[3] = {1, 2, 3}, number = 10;
    int& reference = number;
#pragma omp parallel firstprivate(values, reference)
    {
        const int me = omp_get_thread_num();
        values[1] += me;
        reference += me;
#pragma omp barrier
        EXPECT_EQUAL(values[0] + values[1] + values[2], 6 + me);
        EXPECT_EQUAL(reference, 10 + me);
    }
    EXPECT_EQUAL(values[1], 2);
    EXPECT_EQUAL(number, 10);
}

// The region belongs to a function template, and uses a member.
template <class T>
struct holder {
    T value;
    T sum_of_team() {
        T sum = 0;
#pragma omp parallel
        {
#pragma omp critical
            sum += value;
        }
        return sum / omp_get_max_threads();
    }
};

}  // namespace

int main() {
    objects();
    EXPECT_EQUAL(alive, 0);
    arrays_and_references();
    EXPECT_EQUAL(holder<int>{12}.sum_of_team(), 12);
    EXPECT(holder<double>{0.5}.sum_of_team() == 0.5);
    return expectations_failed;
}
