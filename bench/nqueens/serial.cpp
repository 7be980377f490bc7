// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens without threads: the plain recursion, and the task loop over a stack.
#include <bench/harness/stack.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

TEFF_BENCH_RECURSIVE std::uint64_t recursive(const nqueens::board& queens, unsigned size) {
    if (queens.rows() == size) return 1;
    std::uint64_t solutions = 0;
    for (std::uint32_t safe = queens.safe_columns(size); safe != 0; safe = nqueens::without_first(safe))
        solutions += recursive(queens.with(nqueens::first_column(safe)), size);
    return solutions;
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    std::uint64_t solutions = 0;
    const double seconds = time_seconds([&] {
        solutions = p.variant == "recursive" ? recursive(nqueens::board{}, size)
                                             : reduce_on_stack(nqueens::body{size}, nqueens::board{});
    });
    return nqueens::checked(p, seconds, solutions);
}

}  // namespace bench
