// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens with this library: as a reduction over tasks, and by fork and join.
#include <bench/harness/teff.hpp>
#include <bench/nqueens/nqueens.hpp>

namespace bench {
namespace {

template <class Rule> std::uint64_t waiting_task(nqueens::board queens, Rule rule);

// The boards with a queen in one of these columns; `columns` is not empty. A fork has two branches, so the children
// of a board are the leaves of a binary tree of forks.
template <class Rule> std::uint64_t children(nqueens::board queens, std::uint32_t columns, Rule rule) {
    const std::uint32_t lower = nqueens::lower_half(columns);
    if (lower == 0) return waiting_task(queens.with(nqueens::first_column(columns)), rule);
    const auto [left, right] =
        teff::fork_join([queens, lower, rule] { return children(queens, lower, rule); },
                        [queens, upper = columns ^ lower, rule] { return children(queens, upper, rule); });
    return left + right;
}

template <class Rule> std::uint64_t waiting_task(nqueens::board queens, Rule rule) {
    if (queens.rows() == rule.last_row()) return rule.solve(queens);
    const std::uint32_t safe = queens.safe_columns(rule.size);
    return safe == 0 ? 0 : children(queens, safe, rule);
}

}  // namespace

outcome run_nqueens(const parameters& p) {
    return nqueens::with_rule(p, [&](auto rule) {
        std::uint64_t solutions = 0;
        const double seconds = time_seconds([&] {
            solutions = p.variant == "wait"
                            ? teff::execute(options_of(p), [rule] { return waiting_task(nqueens::board{}, rule); })
                            : teff::reduce_tasks(options_of(p), nqueens::body<decltype(rule)>{rule}, nqueens::board{});
        });
        return nqueens::checked(p, seconds, solutions);
    });
}

}  // namespace bench
