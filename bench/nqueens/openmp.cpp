// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with OpenMP tasks: without waiting, with partial results per thread; and as in the Barcelona suite, where
// each task waits for those that it created.
#include <bench/harness/openmp.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::uint64_t>;

template <class Rule> void task(const nqueens::board& queens, Rule rule, partial_sums& sums);

// A function, not a lambda: a task inside a lambda would refer to the lambda's captures, which no longer exist when
// the task runs.
template <class Rule> void give_away(const nqueens::board& queens, Rule rule, partial_sums& sums) {
    const nqueens::board next = queens;
#pragma omp task default(none) firstprivate(next, rule) shared(sums)
    task(next, rule, sums);
}

template <class Rule> void task(const nqueens::board& queens, Rule rule, partial_sums& sums) {
    own_partial(sums) +=
        nqueens::search(queens, rule, [rule, &sums](const nqueens::board& next) { give_away(next, rule, sums); });
}

template <class Rule> std::uint64_t waiting_task(const nqueens::board& queens, Rule rule) {
    if (queens.rows() == rule.last_row()) return rule.solve(queens);
    std::uint64_t solutions[nqueens::largest_size] = {};
    for (std::uint32_t safe = queens.safe_columns(rule.size); safe != 0; safe = nqueens::without_first(safe)) {
        const unsigned column = nqueens::first_column(safe);
        const nqueens::board next = queens.with(column);
#pragma omp task default(none) firstprivate(next, rule, column) shared(solutions)
        solutions[column] = waiting_task(next, rule);
    }
#pragma omp taskwait
    std::uint64_t sum = 0;
    for (const std::uint64_t each : solutions) sum += each;
    return sum;
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    return nqueens::run_variants<openmp_forks>(
        p, [](const nqueens::board& queens, auto rule) { return waiting_task(queens, rule); },
        [](const nqueens::board& queens, auto rule, auto&... where) { task(queens, rule, where...); });
}

}  // namespace bench
