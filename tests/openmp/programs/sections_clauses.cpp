// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sections with private, firstprivate, lastprivate, reduction and nowait; objects as last values; fewer and more
// sections than threads. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>

namespace {

std::atomic<int> alive{0};

struct counted {
    int value = -1;
    counted() { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
};

void values() {
    int scratch = 5, given = 6, last = 7, sum = 100, total = 0;
    counted last_object;
#pragma omp parallel shared(last, sum, last_object)
    {
#pragma omp sections private(scratch) firstprivate(given) lastprivate(last, last_object) reduction(+ : sum)
        {
            {
                scratch = 1, last = 1, sum += given;
                last_object.value = 1;
            }
#pragma omp section
            {
                given++;
                scratch = 2, last = 2, sum += 10;
                last_object.value = 2;
            }
#pragma omp section
            {
                scratch = 3, last = 3, sum += 20;
                last_object.value = 3;
            }
        }
        EXPECT_EQUAL(last, 3);
        EXPECT_EQUAL(last_object.value, 3);
        EXPECT_EQUAL(sum, 136);
        for (int i = 0; i < 100; ++i) {
#pragma omp sections nowait
            {
#pragma omp section
                {
#pragma omp atomic
                    total++;
                }
#pragma omp section
                {
#pragma omp atomic
                    total += 100;
                }
            }
        }
    }
    EXPECT_EQUAL(scratch, 5);
    EXPECT_EQUAL(given, 6);
    EXPECT_EQUAL(total, 101 * 100);
    EXPECT_EQUAL(alive, 1);
}

#define SECTION                                                                                                        \
    _Pragma("omp section") {                                                                                           \
        _Pragma("omp atomic") count++;                                                                                 \
    }
#define SECTIONS SECTION SECTION SECTION SECTION SECTION SECTION SECTION SECTION SECTION SECTION

void many() {
    int count = 0;
#pragma omp parallel sections
    {
        SECTIONS SECTIONS SECTIONS
    }
    EXPECT_EQUAL(count, 30);
}

}  // namespace

int main() {
    for (int round = 0; round < 20; ++round) {
        values();
        many();
        EXPECT_EQUAL(alive, 0);
    }
    return expectations_failed;
}
