// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// dot with OpenMP tasks that do not wait, with partial results in threadprivate variables, as in Blaze-Tasks, section
// 5.
#include <bench/dot/dot.hpp>

namespace bench {
namespace {

// Declared before its definition, because GCC regards its initialisation as a use, and uses must follow the pragma.
extern dot::products partial;
#pragma omp threadprivate(partial)
dot::products partial;

void task(const dot::view& elements, dot::range lower) {
    while (!lower.is_single()) {
        const dot::range upper = lower.split();
#pragma omp task default(none) firstprivate(upper) shared(elements)
        task(elements, upper);
    }
    partial += elements.at(lower.first);
}

dot::products multiply(unsigned threads, const dot::view& elements, dot::range whole) {
    dot::products sum;
#pragma omp parallel num_threads(static_cast<int>(threads)) default(none) shared(elements, whole, sum)
    {
        partial = {};
#pragma omp single
        task(elements, whole);
#pragma omp critical
        sum += partial;
    }
    return sum;
}

}  // namespace

outcome run_dot(const parameters& p) {
    const dot::vectors input(p);
    const dot::view elements = input.view();
    dot::products found;
    const double seconds = time_seconds([&] { found = multiply(p.threads, elements, input.whole()); });
    return input.checked(seconds, found);
}

}  // namespace bench
