// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of ways to place n queens on a board of n by n so that none attacks another (Blaze-Tasks, section 5.1;
// the kernel of the Barcelona suite): an irregular search whose results do not prune it.
//
// A task is a board with queens in its first rows, by value. It determines the safe columns of the next row, creates
// a task for each of them except the last, and continues with the last one itself. It ends in a solution or where no
// column is safe. The result is the sum of the solutions. With a cut-off, boards with at most that many rows left are
// leaves, too, solved by plain recursion (Fig. 10b: 0 is the whole tree, and the size of the board is a single task).
#pragma once

#include <bench/harness/kernel.hpp>

#include <bit>
#include <cstdint>

namespace bench::nqueens {

constexpr unsigned largest_size = 15;

// One word: four bits for the column of each row's queen, with the first row in the lowest bits, and the number of
// queens in the top four bits.
struct board {
    std::uint64_t word = 0;

    unsigned rows() const { return static_cast<unsigned>(word >> rows_shift); }
    unsigned column(unsigned row) const { return static_cast<unsigned>(word >> row * column_bits) & column_mask; }

    // The board with one more queen, in that column of the next row.
    board with(unsigned next) const {
        return {(word | std::uint64_t{next} << rows() * column_bits) + (std::uint64_t{1} << rows_shift)};
    }

    // One bit for each column of the next row in which a queen would be attacked. Bits beyond the board's edge are
    // meaningless.
    std::uint32_t attacked() const {
        std::uint32_t columns = 0;
        std::uint64_t rest = word;
        for (unsigned distance = rows(); distance > 0; --distance, rest >>= column_bits) {
            const std::uint32_t queen = std::uint32_t{1} << (rest & column_mask);
            columns |= queen | queen << distance | queen >> distance;
        }
        return columns;
    }

    std::uint32_t safe_columns(unsigned size) const { return ~attacked() & ((std::uint32_t{1} << size) - 1); }

private:
    static constexpr unsigned column_bits = 4, column_mask = (1U << column_bits) - 1, rows_shift = 60;
    static_assert(largest_size <= column_mask && largest_size * column_bits <= rows_shift);
};

// The column of the lowest bit set.
inline unsigned first_column(std::uint32_t columns) { return static_cast<unsigned>(std::countr_zero(columns)); }

inline std::uint32_t without_first(std::uint32_t columns) { return columns & (columns - 1); }

// The lower half of the columns; the smaller half if their number is odd.
inline std::uint32_t lower_half(std::uint32_t columns) {
    std::uint32_t upper = columns;
    for (int count = std::popcount(columns) / 2; count > 0; --count) upper = without_first(upper);
    return columns ^ upper;
}

TEFF_BENCH_RECURSIVE inline std::uint64_t recursive(const board& queens, unsigned size) {
    if (queens.rows() == size) return 1;
    std::uint64_t solutions = 0;
    for (std::uint32_t safe = queens.safe_columns(size); safe != 0; safe = without_first(safe))
        solutions += recursive(queens.with(first_column(safe)), size);
    return solutions;
}

// Decides where tasks end: at boards with `last_row` queens. It is a type, so that the version without a cut-off does
// not pay for the version with one.
struct no_cutoff {
    unsigned size;

    unsigned last_row() const { return size; }
    static std::uint64_t solve(const board&) { return 1; }
};

struct cutoff_at {
    unsigned size;
    unsigned rows;

    unsigned last_row() const { return rows; }
    std::uint64_t solve(const board& queens) const { return recursive(queens, size); }
};

// The task of all versions that do not wait: creates a task for a board by enq(board), and returns the number of
// solutions in which it ended itself.
template <class Rule, class Enq> std::uint64_t search(board queens, Rule rule, const Enq& enq) {
    while (queens.rows() < rule.last_row()) {
        std::uint32_t safe = queens.safe_columns(rule.size);
        if (safe == 0) return 0;
        for (; without_first(safe) != 0; safe = without_first(safe)) enq(queens.with(first_column(safe)));
        queens = queens.with(first_column(safe));
    }
    return rule.solve(queens);
}

// The task as the body of a reduction over tasks.
template <class Rule> struct body {
    Rule rule;

    template <class Pool> std::uint64_t operator()(Pool& pool, const board& queens) const {
        return search(queens, rule, [&pool](const board& next) { pool.enq(next); });
    }
};

// The size of the board that p asks for.
unsigned size(const parameters& p);

// Calls measure(rule) with the rule that p asks for.
template <class Measure> outcome with_rule(const parameters& p, const Measure& measure) {
    const unsigned all = size(p);
    if (p.cutoff <= 0) return measure(no_cutoff{all});
    return measure(cutoff_at{all, p.cutoff >= static_cast<long>(all) ? 0 : all - static_cast<unsigned>(p.cutoff)});
}

// The tasks that it reports are counted again if there is a cut-off, which takes up to the time of the search.
outcome checked(const parameters& p, double seconds, std::uint64_t solutions);

// Both variants on a runtime whose harness sums partial results per thread: waiting(board, rule) returns the number of
// solutions, and summing(board, rule, where...) creates tasks that add theirs.
template <class Forks, class Waiting, class Summing>
outcome run_variants(const parameters& p, const Waiting& waiting, const Summing& summing) {
    return with_rule(p, [&](auto rule) {
        if (p.variant == "wait") {
            const auto [seconds, solutions] = timed_call<Forks>(p, [&] { return waiting(board{}, rule); });
            return checked(p, seconds, solutions);
        }
        const auto [seconds, total] =
            summed_over_threads<std::uint64_t>(p, [&](auto&... where) { summing(board{}, rule, where...); });
        return checked(p, seconds, total);
    });
}

}  // namespace bench::nqueens
