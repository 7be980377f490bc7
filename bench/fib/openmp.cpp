// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where each
// task waits for the two that it created.
#include <bench/fib/fib.hpp>
#include <bench/harness/openmp.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::size_t>;

template <class Rule> void task(std::size_t num, Rule rule, partial_sums& sums) {
    while (num >= rule.first_split) {
#pragma omp task default(none) firstprivate(num, rule) shared(sums)
        task(num - 2, rule, sums);
        --num;
    }
    own_partial(sums) += rule.solve(num);
}

template <class Rule> std::size_t waiting_task(std::size_t num, Rule rule) {
    if (num < rule.first_split) return rule.solve(num);
    std::size_t left = 0;
    std::size_t right = 0;
#pragma omp task default(none) firstprivate(num, rule) shared(left)
    left = waiting_task(num - 1, rule);
#pragma omp task default(none) firstprivate(num, rule) shared(right)
    right = waiting_task(num - 2, rule);
#pragma omp taskwait
    return left + right;
}

}  // namespace

outcome run_fib(const parameters& p) {
    return fib::run_variants<openmp_forks>(
        p, [](std::size_t num, auto rule) { return waiting_task(num, rule); },
        [](std::size_t num, auto rule, auto&... where) { task(num, rule, where...); });
}

}  // namespace bench
