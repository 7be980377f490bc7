// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts the solutions of a sudoku.
//
// What to learn: reduce_tasks. A task is a board. It fills in the cells that have one candidate; at the first cell with
// several, all candidates but one become tasks of their own, and the task itself goes on with the last one. No task
// waits for those that it has made: what each one returns is added to the sum. That is the cheapest way to search a
// tree when only a total is wanted, and the tasks are values, here of 112 bytes, that need no allocation.
//
// There is no depth below which the search becomes serial. While all workers are busy, a task costs about what pushing
// a value onto a std::vector does.
#include "../arguments.hpp"

#include <teff/reduce.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <string>

namespace {

// The digits that a row, a column or a box still lacks are the bits 1 to 9 of a number.
constexpr unsigned all_digits = 0b1111111110;

struct board {
    std::array<unsigned char, 81> cells{};  // 0 is empty
    unsigned char empty = 81;

    // The digits that can be put into the cell.
    unsigned candidates(std::size_t cell) const {
        const std::size_t row = cell / 9, column = cell % 9, box = row / 3 * 27 + column / 3 * 3;
        unsigned used = 0;
        for (std::size_t i = 0; i != 9; ++i)
            used |= 1u << cells[row * 9 + i] | 1u << cells[i * 9 + column] | 1u << cells[box + i / 3 * 9 + i % 3];
        return all_digits & ~used;
    }
    void put(std::size_t cell, unsigned digit) {
        cells[cell] = static_cast<unsigned char>(digit);
        --empty;
    }
};

struct count_solutions {
    template <class Pool>
    long operator()(Pool& pool, board task) const {
        while (task.empty != 0) {
            // The empty cell with the fewest candidates.
            std::size_t cell = 0;
            unsigned fewest = 0;
            int count = 10;
            for (std::size_t each = 0; each != 81 && count > 1; ++each) {
                if (task.cells[each] != 0)
                    continue;
                const unsigned candidates = task.candidates(each);
                if (std::popcount(candidates) < count) {
                    cell = each;
                    fewest = candidates;
                    count = std::popcount(candidates);
                }
            }
            if (count == 0)
                return 0;
            for (; count > 1; --count) {
                board other = task;
                other.put(cell, static_cast<unsigned>(std::countr_zero(fewest)));
                pool.enq(other);
                fewest &= fewest - 1;
            }
            task.put(cell, static_cast<unsigned>(std::countr_zero(fewest)));
        }
        return 1;
    }
};

board read_board(const std::string& text, const arguments& given) {
    if (text.size() != 81)
        given.complain("the board has " + std::to_string(text.size()) + " characters; it must have 81, row by row");
    board read;
    for (std::size_t cell = 0; cell != 81; ++cell) {
        const char here = text[cell];
        if (here == '.' || here == '0')
            continue;
        const std::string place = "row " + std::to_string(cell / 9 + 1) + ", column " + std::to_string(cell % 9 + 1);
        if (here < '1' || here > '9')
            given.complain(place + ": '" + here + "' is neither a digit nor '.' for an empty cell");
        const auto digit = static_cast<unsigned>(here - '0');
        if ((read.candidates(cell) >> digit & 1) == 0)
            given.complain(place + ": there is another " + here + " in the same row, column or box");
        read.put(cell, digit);
    }
    return read;
}

}  // namespace

int main(int argc, char** argv) {
    arguments given(argc, argv, "sudoku [BOARD]   (81 digits, row by row, with '.' for an empty cell)");
    const std::string text = given.text(
        "........."
        "........."
        "98....6.."
        "8...6...3"
        "4..8.3..1"
        "7...2...6"
        ".6....28."
        "...41..5."
        ".........");
    given.end();
    const board first = read_board(text, given);
    const long solutions = teff::reduce_tasks({}, count_solutions{}, first);
    std::printf("%ld %s\n", solutions, solutions == 1 ? "solution" : "solutions");
}
