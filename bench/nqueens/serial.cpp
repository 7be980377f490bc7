// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens without threads: the plain recursion, and the task loop over a stack.
#include <bench/harness/stack.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    std::uint64_t solutions = 0;
    if (p.variant == "recursive") {
        const double seconds = time_seconds([&] { solutions = nqueens::recursive(nqueens::board{}, size); });
        return nqueens::checked(p, seconds, solutions);
    }
    return nqueens::with_rule(p, [&](auto rule) {
        const nqueens::body<decltype(rule)> body{rule};
        const double seconds = time_seconds([&] { solutions = reduce_on_stack(body, nqueens::board{}); });
        return nqueens::checked(p, seconds, solutions);
    });
}

}  // namespace bench
