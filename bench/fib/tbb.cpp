// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib with oneTBB: with a task_group, without waiting inside tasks, with partial results per thread; and with
// parallel_invoke, which waits for its two calls.
#include <bench/fib/fib.hpp>
#include <bench/harness/tbb.hpp>

#include <tbb/parallel_invoke.h>

namespace bench {
namespace {

using partial_sums = padded_partials<std::size_t>;

template <class Rule> void task(std::size_t num, Rule rule, tbb::task_group& group, partial_sums& sums) {
    while (num >= rule.first_split) {
        group.run([num, rule, &group, &sums] { task(num - 2, rule, group, sums); });
        --num;
    }
    own_partial(sums) += rule.solve(num);
}

template <class Rule> std::size_t waiting_task(std::size_t num, Rule rule) {
    if (num < rule.first_split) return rule.solve(num);
    std::size_t left = 0;
    std::size_t right = 0;
    tbb::parallel_invoke([num, rule, &left] { left = waiting_task(num - 1, rule); },
                         [num, rule, &right] { right = waiting_task(num - 2, rule); });
    return left + right;
}

}  // namespace

outcome run_fib(const parameters& p) {
    return fib::run_variants<tbb_forks>(
        p, [](std::size_t num, auto rule) { return waiting_task(num, rule); },
        [](std::size_t num, auto rule, auto&... where) { task(num, rule, where...); });
}

}  // namespace bench
