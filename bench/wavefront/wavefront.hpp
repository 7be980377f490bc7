// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The score of the best local alignment of two sequences (T. F. Smith, M. S. Waterman, "Identification of common
// molecular subsequences", 1981, here with linear gaps), by blocks of the score matrix: a wavefront. The task of a
// block reads the blocks above and to the left, so the blocks of a diagonal can be computed at the same time.
//
// Only the borders of blocks are kept. A size is the length of the sequences and the rows of a block.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace bench::wavefront {

// What the blocks below and to the right need of a block of scores.
struct block {
    std::vector<std::int32_t> bottom;    // the last row, and before it the last score of the block to the left
    std::vector<std::int32_t> right;     // the last column
    std::int32_t best = 0;               // the greatest score in this block and all blocks above it and to its left
};

struct workload {
    explicit workload(const parameters& p);

    // The blocks in a row. Block (row, column) is the pair of these parts of the two sequences.
    std::size_t blocks() const { return (first.size() + length - 1) / length; }
    std::size_t from(std::size_t index) const { return index * length; }
    std::size_t to(std::size_t index) const { return index + 1 == blocks() ? first.size() : (index + 1) * length; }

    // A block of zeros with the rows and columns of that block.
    block zeros(std::size_t row, std::size_t column) const;

    std::size_t length;                  // the rows of a block, but for the last ones
    std::string first;                   // by rows
    std::string second;                  // by columns
};

// Computes block (row, column).
void score(const workload& given, std::size_t row, std::size_t column, const block& above, const block& left,
           block& to);

// Compares the best score and the borders of the blocks, given row by row, with those of a computation row by row.
outcome checked(const workload& given, const std::vector<const block*>& blocks, double seconds);

template <class Face> outcome measured(const parameters& p) {
    const workload given(p);
    const std::size_t count = given.blocks();
    // Row 0 and column 0 are the zeros around the matrix.
    std::vector<typename Face::template data<block>> blocks((count + 1) * (count + 1));
    const auto at = [&](std::size_t row, std::size_t column) -> auto& { return blocks[row * (count + 1) + column]; };
    for (std::size_t row = 0; row <= count; ++row)
        for (std::size_t column = 0; column <= count; ++column)
            at(row, column).value() = given.zeros(row == 0 ? 0 : row - 1, column == 0 ? 0 : column - 1);
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            for (std::size_t row = 0; row < count; ++row)
                for (std::size_t column = 0; column < count; ++column)
                    Face::spawn([&given, row, column](const block& above, const block& left,
                                                      block& to) { score(given, row, column, above, left, to); },
                                Face::in(at(row, column + 1)), Face::in(at(row + 1, column)),
                                Face::out(at(row + 1, column + 1)));
        });
    });
    std::vector<const block*> found;
    for (std::size_t row = 1; row <= count; ++row)
        for (std::size_t column = 1; column <= count; ++column) found.push_back(&at(row, column).value());
    return checked(given, found, seconds);
}

}  // namespace bench::wavefront
