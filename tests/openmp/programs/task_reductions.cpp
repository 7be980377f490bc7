// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// task_reduction on taskgroup and reduction(task, ...) on parallel and for: scalars, arrays, types of the user with an
// initializer, a global variable and tasks of another function, tasks in tasks, groups in groups.
// Compilers: gcc, clang.
#include "expect.h"
#include <omp.h>

namespace {

struct pair {
    long sum = 0, product = 1;
    pair() = default;
};
#pragma omp declare reduction(both : pair : omp_out.sum += omp_in.sum, omp_out.product *= omp_in.product)              \
    initializer(omp_priv = pair())

void add(long& sum, pair& two, int depth) {
    if (depth == 0) {
        sum += 1;
        two.sum += 2;
        two.product *= -1;
        return;
    }
#pragma omp task in_reduction(+ : sum) in_reduction(both : two)
    add(sum, two, depth - 1);
#pragma omp task in_reduction(+ : sum) in_reduction(both : two)
    {
        add(sum, two, depth - 1);
        sum += 10;
    }
#pragma omp taskwait
}

void in_a_group() {
    long sum = 100;
    pair two;
    two.sum = 7;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(both : two)
        {
#pragma omp task in_reduction(+ : sum) in_reduction(both : two)
            add(sum, two, 6);
        }
    }
    EXPECT_EQUAL(sum, 100 + 64 + 10 * 63);
    EXPECT_EQUAL(two.sum, 7 + 2 * 64);
    EXPECT_EQUAL(two.product, 1);
}

void of_an_array() {
    long values[5] = {1, 2, 3, 4, 5};
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : values)
    for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : values)
        values[i % 5] += i;
    }
    for (int i = 0; i < 5; ++i)
        EXPECT_EQUAL(values[i], i + 1 + 950 + 20 * i);
}

void of_a_region() {
    long sum = 3;
    int threads = 0;
#pragma omp parallel reduction(task, + : sum)
    {
#pragma omp single
        threads = omp_get_num_threads();
        for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : sum)
            sum += i;
        }
        sum += 1000;
    }
    EXPECT_EQUAL(sum, 3 + threads * (1000 + 190));
}

long counted = 0;

// Its tasks know the global variable alone, not the copy of the region's thread.
void count(int tasks) {
    for (int i = 0; i < tasks; ++i) {
#pragma omp task in_reduction(+ : counted)
        counted += 1;
    }
}

void of_a_global_variable() {
    int threads = 0;
    counted = 5;
#pragma omp parallel reduction(task, + : counted)
    {
#pragma omp single
        threads = omp_get_num_threads();
        count(1000);
    }
    EXPECT_EQUAL(counted, 5 + threads * 1000);
#pragma omp parallel
#pragma omp for reduction(task, + : counted)
    for (int i = 0; i < 100; ++i)
        count(20);
    EXPECT_EQUAL(counted, 5 + threads * 1000 + 2000);
}

void of_groups_in_groups() {
    long outer = 0, inner_sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : outer)
    for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : outer) shared(inner_sum)
        {
            long inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
            for (int j = 0; j < 20; ++j) {
#pragma omp task in_reduction(+ : inner, outer)
                {
                    inner += 1;
                    outer += 2;
                }
            }
#pragma omp atomic
            inner_sum += inner;
        }
    }
    EXPECT_EQUAL(inner_sum, 400);
    EXPECT_EQUAL(outer, 800);
}

}  // namespace

int main() {
    for (int i = 0; i < 30; ++i) {
        in_a_group();
        of_an_array();
        of_a_region();
        of_a_global_variable();
        of_groups_in_groups();
    }
    return expectations_failed;
}
