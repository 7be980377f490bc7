// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// taskloop: every iteration runs once, in tasks of the sizes that the clauses ask for; steps of both signs, unsigned
// bounds, collapse, lastprivate, variables with constructors, reductions, loops in tasks of loops.
// Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <cstdint>
#include <omp.h>
#include <vector>

namespace {

std::atomic<int> alive{0};
struct counted {
    int value;
    explicit counted(int v) : value(v) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    ~counted() { --alive; }
};

void every_iteration(long begin, long end, long step) {
    std::vector<std::atomic<int>> runs(2000);
    long last = -1;
    const long n = step > 0 ? (end - begin + step - 1) / step : (begin - end - step - 1) / -step;
#pragma omp parallel
#pragma omp single
    {
        counted own(7);
        if (step > 0) {
#pragma omp taskloop lastprivate(last) firstprivate(own)
            for (long i = begin; i < end; i += step) {
                EXPECT_EQUAL(own.value, 7);
                runs[(i - begin) / step]++;
                last = i;
            }
        } else {
#pragma omp taskloop lastprivate(last) firstprivate(own) num_tasks(7)
            for (long i = begin; i > end; i += step) {
                EXPECT_EQUAL(own.value, 7);
                runs[(i - begin) / step]++;
                last = i;
            }
        }
    }
    EXPECT_EQUAL(alive, 0);
    for (long i = 0; i < (long)runs.size(); ++i)
        EXPECT_EQUAL(runs[i], i < n ? 1 : 0);
    if (n > 0)
        EXPECT_EQUAL(last, begin + (n - 1) * step);
}

void sizes() {
    std::vector<int> first(103, -1);
    int tasks = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(10)
    for (int i = 0; i < 103; ++i) {
        thread_local int next = -1, begun = -1;
        if (i != next || i == 0)
            begun = i;
        next = i + 1;
        first[i] = begun;
    }
    // At least 10 iterations in a row are of one task.
    for (int i = 0; i < 103;) {
        int end = i;
        while (end < 103 && first[end] == first[i])
            ++end;
        EXPECT(end - i >= 10);
        i = end;
        ++tasks;
    }
    EXPECT(tasks <= 10);
}

void unsigned_bounds() {
    std::atomic<std::uint64_t> sum{0};
    const std::uint64_t from = ~std::uint64_t{0} - 50;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(3)
    for (std::uint64_t i = from; i < ~std::uint64_t{0}; i += 5)
        sum += i - from;
    EXPECT_EQUAL(sum, 0 + 5 + 10 + 15 + 20 + 25 + 30 + 35 + 40 + 45);
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
    for (std::uint64_t i = 100; i > 3; i -= 7)
        sum += i;
    EXPECT_EQUAL(sum, 225 + 100 + 93 + 86 + 79 + 72 + 65 + 58 + 51 + 44 + 37 + 30 + 23 + 16 + 9);
}

void collapsed_and_reduced() {
    long sum = 5;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop collapse(2) reduction(+ : sum)
    for (int i = 0; i < 40; ++i)
        for (int j = 0; j < 30; ++j)
            sum += i * j;
    EXPECT_EQUAL(sum, 5 + 780 * 435);
}

void in_tasks_of_loops() {
    std::atomic<int> runs{0};
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup grainsize(1)
        for (int i = 0; i < 30; ++i) {
#pragma omp taskloop num_tasks(5) if (i % 3 != 0)
            for (int j = 0; j < 30; ++j)
                ++runs;
        }
#pragma omp taskwait
        EXPECT_EQUAL(runs, 900);
    }
}

}  // namespace

int main() {
    every_iteration(0, 1000, 1);
    every_iteration(0, 1, 1);
    every_iteration(5, 5, 1);
    every_iteration(-50, 1001, 3);
    every_iteration(100, -200, -1);
    every_iteration(100, -201, -7);
    every_iteration(3, 3, -1);
    sizes();
    unsigned_bounds();
    collapsed_and_reduced();
    for (int i = 0; i < 30; ++i)
        in_tasks_of_loops();
    return expectations_failed;
}
