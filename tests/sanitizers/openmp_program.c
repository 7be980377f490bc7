// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An OpenMP program, compiled with ThreadSanitizer and run on the ordinary OpenMP runtime. Without an argument it is
// correct; with one, each iteration of a loop writes the same variable.
#include <stdio.h>
#include <stdlib.h>

enum { size = 1000, rounds = 20 };

static long cells[size];
long last;

static void expect(int holds, const char* what) {
    if (holds)
        return;
    fprintf(stderr, "wrong result: %s\n", what);
    exit(1);
}

static void loops(void) {
    long sum = 0, count = 0;
    char order[101] = "";
    int next = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 10)
        for (int i = 0; i < size; ++i)
            cells[i] = i;
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < size; ++i)
            sum += cells[size - 1 - i];
        long first = 0;
#pragma omp single copyprivate(first)
        first = cells[1];
#pragma omp critical
        count += first;
#pragma omp barrier
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 100; ++i) {
#pragma omp ordered
            order[next++] = (char)('a' + i % 26);
        }
    }
    expect(sum == size * (size - 1L) / 2 && count > 0 && order[99] == 'v', "loops");
}

static void tasks(void) {
    long a = 0, b = 0, c = 0, total = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        for (int i = 0; i < size; i += 10) {
#pragma omp task
            for (int k = i; k < i + 10; ++k)
                cells[k] *= 2;
        }
        for (int i = 0; i < 20; ++i) {
#pragma omp task depend(out : a)
            a = i;
#pragma omp task depend(in : a) depend(out : b)
            b = a + 1;
#pragma omp task depend(in : a) depend(out : c)
            c = a + 2;
#pragma omp task depend(in : b, c) depend(inout : total)
            total += b + c;
        }
#pragma omp taskwait
        cells[0] = total;
    }
    expect(cells[0] == 20 * 3 + 2 * 190 && cells[size - 1] == 2 * (size - 1), "tasks");
}

int main(int count, char** arguments) {
    (void)arguments;
    for (int round = 0; round < rounds && count == 1; ++round) {
        loops();
        tasks();
    }
    for (int round = 0; round < 1000 && count > 1; ++round) {
#pragma omp parallel for
        for (int i = 0; i < size; ++i)
            last = i;
    }
    return 0;
}
