// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib with this library: as a reduction over tasks, and by fork and join.
#include <bench/fib/fib.hpp>
#include <bench/harness/teff.hpp>

namespace bench {
namespace {

// The captures are small and by value, so `num` can stay in a register.
template <class Rule> std::size_t waiting_task(std::size_t num, Rule rule) {
    if (num < rule.first_split) return rule.solve(num);
    const auto [left, right] = teff::fork_join([num, rule] { return waiting_task(num - 1, rule); },
                                               [num, rule] { return waiting_task(num - 2, rule); });
    return left + right;
}

}  // namespace

outcome run_fib(const parameters& p) {
    const std::size_t num = fib::argument(p);
    return fib::with_rule(p, [&](auto rule) {
        std::size_t answer = 0;
        const double seconds = time_seconds([&] {
            answer = p.variant == "wait"
                         ? teff::execute(options_of(p), [&] { return waiting_task(num, rule); })
                         : teff::reduce_tasks(options_of(p), fib::body<decltype(rule)>{rule}, num);
        });
        return fib::checked(p, seconds, answer);
    });
}

}  // namespace bench
