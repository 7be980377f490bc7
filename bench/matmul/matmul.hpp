// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of two square matrices, by dividing the longest of the three dimensions: the program `matmul` of the Cilk
// distribution (M. Frigo, C. E. Leiserson, H. Prokop and S. Ramachandran, "Cache-oblivious algorithms", 1999).
//
// A task adds the product of two rectangles to a third one. If it halves the rows or the columns of the result, the
// halves are two tasks. If it halves the inner dimension, both halves add to the same elements, so they run one after
// the other. Small rectangles are multiplied by three loops. Differs from Cilk: a rectangle is small if each of its
// sides is small; in Cilk the sum of its sides decides.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/matrix_product.hpp>

#include <algorithm>
#include <cstddef>

namespace bench::matmul {

constexpr std::size_t largest_leaf = 32;    // of each dimension

struct extents {
    std::size_t rows;
    std::size_t inner;
    std::size_t columns;

    std::size_t longest() const { return std::max({rows, inner, columns}); }
};

// c += a * b
template <class Forks> void multiply(matrix c, const_matrix a, const_matrix b, extents size) {
    const auto [rows, inner, columns] = size;
    const std::size_t longest = size.longest();
    const std::size_t half = longest / 2;
    const std::size_t rest = longest - half;
    if (longest <= largest_leaf) {
        multiply_add(c, a, b, rows, inner, columns);
    } else if (rows == longest) {
        const extents upper{half, inner, columns}, lower{rest, inner, columns};
        Forks::both([=] { multiply<Forks>(c, a, b, upper); },
                    [=] { multiply<Forks>(c.from(half, 0), a.from(half, 0), b, lower); });
    } else if (columns == longest) {
        const extents left{rows, inner, half}, right{rows, inner, rest};
        Forks::both([=] { multiply<Forks>(c, a, b, left); },
                    [=] { multiply<Forks>(c.from(0, half), a, b.from(0, half), right); });
    } else {
        multiply<Forks>(c, a, b, {rows, half, columns});
        multiply<Forks>(c, a.from(0, half), b.from(half, 0), {rows, rest, columns});
    }
}

template <class Forks> void multiply_all(matrix_product& all) {
    multiply<Forks>(all.result(), all.left(), all.right(), {all.size(), all.size(), all.size()});
}

// Matrices of the size that p asks for.
matrix_product generated(const parameters& p);

// The tasks that it reports are the leaves.
outcome checked(const matrix_product& found, double seconds);

// What run_matmul() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    matrix_product product = generated(p);
    const double seconds = time_seconds([&] { Forks::run(p, [&] { multiply_all<Forks>(product); }); });
    return checked(product, seconds);
}

}  // namespace bench::matmul
