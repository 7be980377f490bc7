// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// for over iterators, over ranges, over pointers, and with objects as private, firstprivate and lastprivate variables.
// Compilers: gcc, clang.
#include "expect.h"
#include <array>
#include <atomic>
#include <deque>
#include <omp.h>
#include <string>
#include <vector>

namespace {

std::atomic<int> alive{0};

struct counted {
    int value = -1;
    counted() { ++alive; }
    explicit counted(int v) : value(v) { ++alive; }
    counted(const counted& other) : value(other.value) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
};

void iterators() {
    std::vector<int> numbers(300);
    std::deque<std::string> texts(100);
#pragma omp parallel for schedule(dynamic, 3)
    for (auto each = numbers.begin(); each < numbers.end(); ++each)
        *each = int(each - numbers.begin());
#pragma omp parallel for
    for (auto each = texts.rbegin(); each != texts.rend(); each += 1)
        *each = std::to_string(each - texts.rbegin());
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int& each : numbers)
        sum += each++;
    EXPECT_EQUAL(sum, 299 * 150);
    for (int i = 0; i < 300; ++i)
        EXPECT_EQUAL(numbers[i], i + 1);
    for (int i = 0; i < 100; ++i)
        EXPECT(texts[i] == std::to_string(99 - i));
    int table[50] = {};
#pragma omp parallel for schedule(guided)
    for (int* each = table + 49; each >= table; each -= 2)
        ++*each;
    for (int i = 0; i < 50; ++i)
        EXPECT_EQUAL(table[i], i % 2);
}

void objects() {
    counted last, given(7), scratch;
#pragma omp parallel for lastprivate(last) firstprivate(given) private(scratch) schedule(dynamic)
    for (int i = 0; i < 100; ++i) {
        EXPECT_EQUAL(given.value, 7);
        scratch.value = i;
        last = counted(scratch.value + given.value);
    }
    EXPECT_EQUAL(alive, 3);
    EXPECT_EQUAL(last.value, 106);
    EXPECT_EQUAL(scratch.value, -1);
}

// A loop in a member function of a class template, on a member.
template <int N>
struct holder {
    std::array<int, N> values{};
    void fill(int first) {
#pragma omp parallel for
        for (int i = 0; i < N; ++i)
            values[i] = first + i;
    }
};

}  // namespace

int main() {
    for (int round = 0; round < 10; ++round) {
        iterators();
        objects();
        EXPECT_EQUAL(alive, 0);
        holder<77> held;
        held.fill(5);
        for (int i = 0; i < 77; ++i)
            EXPECT_EQUAL(held.values[i], 5 + i);
    }
    return expectations_failed;
}
