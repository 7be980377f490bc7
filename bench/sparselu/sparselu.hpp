// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LU factors of a matrix of blocks, of which many are empty, without pivots: the program `sparselu` of the Barcelona
// OpenMP Tasks Suite (A. Duran et al., "Barcelona OpenMP tasks suite", 2009). Wide forks of tasks of equal size, in
// phases that wait for each other; the phases become smaller.
//
// Step k factors the block (k, k); then it solves with it, in parallel, the blocks right of it and those below; then
// each pair of a block below and a block to the right is multiplied and subtracted from the block in which they meet.
// Differs from the suite: which blocks there are, also those that only fill up on the way, is known beforehand, so that
// no task allocates; the pattern is that of a band and a grid.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace bench {

extern const kernel_description sparselu_description;

outcome run_sparselu(const parameters& p);

}  // namespace bench

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

    // Makes an empty block one of zeros.
    void fill(std::size_t row, std::size_t column);

private:
    std::size_t blocks_;
    std::size_t length_;
    std::vector<std::unique_ptr<double[]>> parts_;
};

// The leaves, on blocks of `length` rows.
void factor(double* diagonal, std::size_t length);
void solve_right(const double* diagonal, double* block, std::size_t length);    // by its lower factor
void solve_below(const double* diagonal, double* block, std::size_t length);    // by its upper factor
void subtract_product(double* from, const double* below, const double* right, std::size_t length);

// The numbers above `step` of the rows, or columns, that have a block in that column, or row.
std::vector<std::size_t> rows_below(const block_matrix& matrix, std::size_t step);
std::vector<std::size_t> columns_right(const block_matrix& matrix, std::size_t step);

// Leaves both factors in place of the matrix.
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
    std::vector<double> product;         // of the matrix as it was and the vector
};

// As large as p asks for.
workload generated(const parameters& p);

// The answer is the largest error of the vector's product with both factors. Its tasks are the leaves.
outcome checked(const workload& found, double seconds);

}  // namespace bench::sparselu
