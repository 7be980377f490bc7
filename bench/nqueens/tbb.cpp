// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with oneTBB's task_group: without waiting inside tasks, with partial results per thread; and with a group
// in each task, which waits for the tasks that it created.
#include <bench/harness/tbb.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

using partial_sums = padded_partials<std::uint64_t>;

template <class Rule> void task(const nqueens::board& queens, Rule rule, tbb::task_group& group, partial_sums& sums) {
    own_partial(sums) += nqueens::search(queens, rule, [rule, &group, &sums](const nqueens::board& next) {
        group.run([next, rule, &group, &sums] { task(next, rule, group, sums); });
    });
}

template <class Rule> std::uint64_t waiting_task(const nqueens::board& queens, Rule rule) {
    if (queens.rows() == rule.last_row()) return rule.solve(queens);
    std::uint64_t solutions[nqueens::largest_size] = {};
    tbb::task_group group;
    for (std::uint32_t safe = queens.safe_columns(rule.size); safe != 0; safe = nqueens::without_first(safe)) {
        const unsigned column = nqueens::first_column(safe);
        group.run([next = queens.with(column), rule, &found = solutions[column]] { found = waiting_task(next, rule); });
    }
    group.wait();
    std::uint64_t sum = 0;
    for (const std::uint64_t each : solutions) sum += each;
    return sum;
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    return nqueens::run_variants<tbb_forks>(
        p, [](const nqueens::board& queens, auto rule) { return waiting_task(queens, rule); },
        [](const nqueens::board& queens, auto rule, auto&... where) { task(queens, rule, where...); });
}

}  // namespace bench
