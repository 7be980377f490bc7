// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single with copyprivate: the values that one thread has made reach the private variables of all: numbers, arrays,
// objects with an assignment, threadprivate data. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <omp.h>
#include <string>
#include <vector>

namespace {

int own_number;
#pragma omp threadprivate(own_number)

void values(int round) {
    std::atomic<int> makers{0};
#pragma omp parallel
    {
        int number = -1, table[20];
        double real = -1;
        std::string text = "none";
        std::vector<int> numbers;
#pragma omp single copyprivate(number, table, real, text, numbers, own_number)
        {
            ++makers;
            number = round;
            for (int i = 0; i < 20; ++i)
                table[i] = round + i;
            real = round * 0.5;
            text = "round " + std::to_string(round);
            numbers.assign(round, omp_get_thread_num());
            own_number = -round;
        }
        EXPECT_EQUAL(number, round);
        for (int i = 0; i < 20; ++i)
            EXPECT_EQUAL(table[i], round + i);
        EXPECT(real == round * 0.5);
        EXPECT(text == "round " + std::to_string(round));
        EXPECT_EQUAL(numbers.size(), round);
        EXPECT_EQUAL(own_number, -round);
    }
    EXPECT_EQUAL(makers, 1);
}

// Many in a row: no thread may take the value of a later one.
void in_a_row() {
#pragma omp parallel
    {
        for (int i = 0; i < 300; ++i) {
            int number = -1;
#pragma omp single copyprivate(number)
            number = i;
            EXPECT_EQUAL(number, i);
        }
    }
}

// A pointer is copied, not what it points to. The parameter belongs to a function that the region calls.
void through_pointers(int* number, int*& pointer) {
#pragma omp single copyprivate(pointer)
    {
        *number = 9;
        pointer = number;
    }
}

}  // namespace

int main() {
    for (int round = 1; round <= 30; ++round)
        values(round);
    in_a_row();
    int number = 0;
#pragma omp parallel
    {
        int* pointer = nullptr;
        through_pointers(&number, pointer);
        EXPECT(pointer == &number);
        EXPECT_EQUAL(*pointer, 9);
    }
    return expectations_failed;
}
