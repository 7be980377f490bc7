// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the rows of instructions.txt run on the OpenMP runtime, in a program that knows nothing of Teff: a team of one
// thread, and a task for each call.
#include <tests/instructions/program.hpp>

namespace {

using instructions::fibonacci;
using instructions::number;

number called_fibonacci(number of) {
    if (of < 2) return of;
    number left, right;
#pragma omp task shared(left)
    left = called_fibonacci(of - 1);
#pragma omp task shared(right)
    right = called_fibonacci(of - 2);
#pragma omp taskwait
    return left + right;
}

// Every call but the first is a task.
number task(number size) {
    number result = 0;
#pragma omp parallel num_threads(1)
    result = called_fibonacci(size);
    return result == fibonacci(size) ? 2 * (fibonacci(size + 1) - 1) : 0;
}

constexpr instructions::row rows[] = {{"openmp_task", task}};

}  // namespace

int main(int count, char** arguments) { return instructions::main(count, arguments, rows); }
