// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single with copyprivate in a region that is cancelled before all threads have come to it: no thread copies what is
// left of an earlier construct. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>
#include <sched.h>

namespace {

constexpr int threads = 4;
std::atomic<int> round_now{0};
std::atomic<int> came{0};  // threads that have executed the block or copied

// Knows in which round it was made.
struct value {
    int round = -1;
    value() = default;
    value(const value&) = default;
    value& operator=(const value& from) {
        EXPECT_EQUAL(from.round, round_now);
        round = from.round;
        ++came;
        return *this;
    }
};

void make(value& made, bool waits) {
    made.round = round_now;
    ++came;
#ifndef __clang__
    // GCC's code copies or executes the block. The thread that was to execute it keeps its value until all have done
    // so.
    while (waits && came < omp_get_num_threads() - 1)
        sched_yield();
#else
    (void)waits;
#endif
}

void all_copy() {
#pragma omp parallel num_threads(threads)
    {
        value mine;
#pragma omp single copyprivate(mine)
        make(mine, false);
        EXPECT_EQUAL(mine.round, round_now);
    }
}

void one_cancels_instead() {
    int reached = 0;
#pragma omp parallel num_threads(threads)
    {
        value mine;
        if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
        }
#pragma omp single copyprivate(mine)
        make(mine, true);
        // Clang's construct does not look whether the region is cancelled.
#pragma omp cancellation point parallel
#pragma omp atomic
        ++reached;
    }
    EXPECT_EQUAL(reached, 0);
}

}  // namespace

int main() {
    EXPECT(omp_get_cancellation());
    for (int i = 0; i < 100; ++i) {
        ++round_now;
        all_copy();
        ++round_now;
        came = 0;
        one_cancels_instead();
    }
    return expectations_failed;
}
