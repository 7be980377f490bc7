// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tasks in C++: exceptions that are caught inside, members, references and lambdas, containers as firstprivate data
// that lives as long as the task. Compilers: gcc, clang.
#include "expect.h"
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

struct counter {
    std::atomic<int> value{0};
    void add_in_tasks(int n) {
        for (int i = 0; i < n; ++i) {
#pragma omp task
            ++value;
        }
#pragma omp taskwait
    }
};

void containers() {
    std::atomic<int> total{0};
    std::vector<std::string> seen(50);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 50; ++i) {
        std::string text(100 + i, char('a' + i % 26));
        auto shared_value = std::make_shared<int>(i);
        // Their makers' variables end with this iteration.
#pragma omp task firstprivate(text, shared_value, i) shared(seen, total)
        {
            seen[i] = text;
            total += *shared_value;
        }
    }
    EXPECT_EQUAL(total, 49 * 25);
    for (int i = 0; i < 50; ++i)
        EXPECT(seen[i] == std::string(100 + i, char('a' + i % 26)));
}

void exceptions() {
    std::atomic<int> caught{0};
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; ++i) {
#pragma omp task shared(caught)
        {
            try {
                if (i % 2 == 0)
                    throw std::string("even");
                ++caught;
            } catch (const std::string& text) {
                caught += text == "even" ? 1000 : 0;
            }
        }
    }
    EXPECT_EQUAL(caught, 50 * 1001);
}

template <class T>
T sum(const T* from, const T* to) {
    if (to - from < 10) {
        T all{};
        for (; from != to; ++from)
            all += *from;
        return all;
    }
    T left{}, right{};
    const T* middle = from + (to - from) / 2;
#pragma omp task shared(left)
    left = sum(from, middle);
#pragma omp task shared(right)
    right = sum(middle, to);
#pragma omp taskwait
    return left + right;
}

void functions() {
    std::vector<int> results(20);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 20; ++i) {
        std::function<int(int)> function = [i](int n) { return n + i; };
        int& result = results[i];
#pragma omp task firstprivate(function) shared(result)
        result = function(100);
    }
    for (int i = 0; i < 20; ++i)
        EXPECT_EQUAL(results[i], 100 + i);
}

}  // namespace

int main() {
    for (int round = 0; round < 5; ++round) {
        counter counted;
#pragma omp parallel
#pragma omp single
        counted.add_in_tasks(100);
        EXPECT_EQUAL(counted.value, 100);
        containers();
        exceptions();
        functions();
        std::vector<long> numbers(1000);
        for (int i = 0; i < 1000; ++i)
            numbers[i] = i;
        long all = 0;
#pragma omp parallel
#pragma omp single
        all = sum(numbers.data(), numbers.data() + 1000);
        EXPECT_EQUAL(all, 999 * 500);
    }
    return expectations_failed;
}
