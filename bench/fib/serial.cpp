// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fib without threads: the plain recursion, and the task loop over a stack.
#include <bench/fib/fib.hpp>
#include <bench/harness/stack.hpp>

namespace bench {

outcome run_fib(const parameters& p) {
    const std::size_t num = fib::argument(p);
    std::size_t answer = 0;
    if (p.variant == "recursive") {
        const double seconds = time_seconds([&] { answer = fib::recursive(num); });
        return fib::checked(p, seconds, answer);
    }
    return fib::with_rule(p, [&](auto rule) {
        const double seconds = time_seconds([&] { answer = reduce_on_stack(fib::body<decltype(rule)>{rule}, num); });
        return fib::checked(p, seconds, answer);
    });
}

}  // namespace bench
