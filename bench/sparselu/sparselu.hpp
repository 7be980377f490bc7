// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factorization, without pivoting, of a matrix of blocks, many of which are empty: the program `sparselu` of the
// Barcelona OpenMP Tasks Suite (A. Duran et al., "Barcelona OpenMP tasks suite", 2009). Wide forks of tasks of equal
// size, in phases that wait for each other and that become smaller.
//
// Step k factors the block (k, k). Then it uses that block to solve, in parallel, the blocks to its right and those
// below. Then each pair of a block below and a block to the right is multiplied, and the product is subtracted from
// the block in their row and column. Differs from the suite: the set of non-empty blocks, including those that fill
// in during the factorization, is known in advance, so that no task allocates; the pattern is that of a band and a
// grid.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace bench::sparselu {

// A square matrix of `blocks` by `blocks` blocks of `length` rows each.
class block_matrix {
public:
    block_matrix(std::size_t blocks, std::size_t length);

    std::size_t blocks() const { return blocks_; }
    std::size_t length() const { return length_; }

    // Null if the block is empty.
    double* block(std::size_t row, std::size_t column) { return parts_[row * blocks_ + column].get(); }
    const double* block(std::size_t row, std::size_t column) const { return parts_[row * blocks_ + column].get(); }

    // Turns an empty block into a block of zeros.
    void fill(std::size_t row, std::size_t column);

private:
    std::size_t blocks_;
    std::size_t length_;
    std::vector<std::unique_ptr<double[]>> parts_;
};

// The leaf computations, on blocks of `length` rows.
void factor(double* diagonal, std::size_t length);
void solve_right(const double* diagonal, double* block, std::size_t length);    // with the diagonal's lower factor
void solve_below(const double* diagonal, double* block, std::size_t length);    // with the diagonal's upper factor
void subtract_product(double* from, const double* below, const double* right, std::size_t length);

// The numbers greater than `step` of the rows with a block in column `step`, and of the columns with a block in row
// `step`.
std::vector<std::size_t> rows_below(const block_matrix& matrix, std::size_t step);
std::vector<std::size_t> columns_right(const block_matrix& matrix, std::size_t step);

// Replaces the matrix by its two factors.
template <class Forks> void factor_all(block_matrix& matrix) {
    const std::size_t length = matrix.length();
    for (std::size_t step = 0; step < matrix.blocks(); ++step) {
        double* const diagonal = matrix.block(step, step);
        factor(diagonal, length);
        const std::vector<std::size_t> rows = rows_below(matrix, step);
        const std::vector<std::size_t> columns = columns_right(matrix, step);
        Forks::each(rows.size() + columns.size(), [&](std::size_t index) {
            if (index < columns.size())
                solve_right(diagonal, matrix.block(step, columns[index]), length);
            else
                solve_below(diagonal, matrix.block(rows[index - columns.size()], step), length);
        });
        Forks::each(rows.size() * columns.size(), [&](std::size_t index) {
            const std::size_t row = rows[index / columns.size()];
            const std::size_t column = columns[index % columns.size()];
            subtract_product(matrix.block(row, column), matrix.block(row, step), matrix.block(step, column), length);
        });
    }
}

struct workload {
    block_matrix matrix;
    std::vector<double> vector;
    std::vector<double> product;         // of the original matrix and the vector
};

// A matrix of the size that p asks for.
workload generated(const parameters& p);

// The answer is the largest error of the product of both factors with the vector. The tasks that it reports are the
// leaves.
outcome checked(const workload& found, double seconds);

// What run_sparselu() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    return measured_with<Forks>(p, generated(p), [](workload& all) { factor_all<Forks>(all.matrix); });
}

}  // namespace bench::sparselu
