// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two square matrices and their product: the inputs, the leaf computation and the check of the kernels that multiply
// matrices.
//
// Elements are small integers, so all sums are exact in floating point, in whatever order they are computed. The
// check multiplies both sides by a vector, which takes two passes over the matrices instead of their product (R.
// Freivalds, "Probabilistic machines can use less running time", 1977). No element of that vector is 0, so a single
// wrong element never passes.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <vector>

namespace bench {

// A part of a matrix. Its rows begin `stride` elements apart.
template <class Number> struct matrix_part {
    Number* at;
    std::size_t stride;

    matrix_part from(std::size_t row, std::size_t column) const { return {at + row * stride + column, stride}; }
    Number* row(std::size_t index) const { return at + index * stride; }
};

using matrix = matrix_part<double>;
using const_matrix = matrix_part<const double>;

// c += a * b, where a has `rows` rows and `inner` columns, and b has `columns` columns.
void multiply_add(matrix c, const_matrix a, const_matrix b, std::size_t rows, std::size_t inner, std::size_t columns);

struct matrix_product {
    // Generates inputs of that size and sets the product to 0.
    explicit matrix_product(std::size_t size);

    const_matrix left() const { return {left_.data(), size_}; }
    const_matrix right() const { return {right_.data(), size_}; }
    matrix result() { return {result_.data(), size_}; }
    std::size_t size() const { return size_; }

    // `tasks` is the number of tasks that the outcome reports.
    outcome checked(double seconds, std::uint64_t tasks) const;

    static std::uint64_t bytes(std::size_t size) { return 3 * size * size * sizeof(double); }

private:
    std::size_t size_;
    std::vector<double> left_;
    std::vector<double> right_;
    std::vector<double> result_;
};

}  // namespace bench
