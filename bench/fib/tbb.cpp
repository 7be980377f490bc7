// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib with oneTBB's task_group, without waiting inside tasks; partial results per thread.
#include <bench/fib/fib.hpp>
#include <bench/harness/tbb.hpp>

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

}  // namespace

outcome run_fib(const parameters& p) {
    const std::size_t num = fib::argument(p);
    return fib::with_rule(p, [&](auto rule) {
        partial_sums sums(p.threads);
        const double seconds = time_seconds([&] {
            run_in_group(p.threads, [&](tbb::task_group& group) { task(num, rule, group, sums); });
        });
        return fib::checked(p, seconds, sums.total());
    });
}

}  // namespace bench
