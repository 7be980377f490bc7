// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with this library: as a reduction over tasks, and by fork and join.
#include <bench/harness/teff.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

std::uint64_t waiting_task(nqueens::board queens, unsigned size);

// The boards with a queen in one of these columns; `columns` is not empty. A fork has two branches, so the children
// of a board are the leaves of a binary tree of forks.
std::uint64_t children(nqueens::board queens, std::uint32_t columns, unsigned size) {
    const std::uint32_t lower = nqueens::lower_half(columns);
    if (lower == 0) return waiting_task(queens.with(nqueens::first_column(columns)), size);
    const auto [left, right] =
        teff::fork_join([queens, lower, size] { return children(queens, lower, size); },
                        [queens, upper = columns ^ lower, size] { return children(queens, upper, size); });
    return left + right;
}

std::uint64_t waiting_task(nqueens::board queens, unsigned size) {
    if (queens.rows() == size) return 1;
    const std::uint32_t safe = queens.safe_columns(size);
    return safe == 0 ? 0 : children(queens, safe, size);
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    const unsigned size = nqueens::size(p);
    std::uint64_t solutions = 0;
    const double seconds = time_seconds([&] {
        solutions = p.variant == "wait"
                        ? teff::execute(options_of(p), [size] { return waiting_task(nqueens::board{}, size); })
                        : teff::reduce_tasks(options_of(p), nqueens::body{size}, nqueens::board{});
    });
    return nqueens::checked(p, seconds, solutions);
}

}  // namespace bench
