// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Product of two square matrices by seven products of their quarters (V. Strassen, "Gaussian elimination is not
// optimal", 1969), as in the Cilk distribution and the Barcelona OpenMP Tasks Suite: seven large tasks at each level,
// with memory of their own.
//
// A task multiplies two matrices whose size is a power of two. It forks the seven products, each of which first
// computes its two factors, and then adds up the products. Matrices of up to `base` rows, which --cutoff chooses
// (X-OpenMP, Fig. 10b), are multiplied without forks: by eight products of their quarters down to 64 rows, and those
// by three loops. Differs from both: the formulas are Strassen's, not Winograd's, and each product computes its own
// factors, so that this happens in parallel. Differs from X-OpenMP's program: no depth ends the forks before the base.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/matrix_product.hpp>

#include <cstddef>
#include <memory>

namespace bench::strassen {

constexpr std::size_t largest_loops = 64;        // rows of a matrix that three loops multiply
constexpr std::size_t usual_base = largest_loops;
constexpr std::size_t products = 7;

// The loops of a task, without its forks. The matrices that they write are contiguous, row by row.

// Computes the factors of product `index` from the quarters of a and b, which have `half` rows.
void form_factors(std::size_t index, double* left, double* right, const_matrix a, const_matrix b, std::size_t half);

// Computes c, with 2 * half rows, from the seven products, which are stored one after the other.
void combine(matrix c, const double* parts, std::size_t half);

// c = a * b, without forks
void multiply_small(matrix c, const_matrix a, const_matrix b, std::size_t size);

template <class Forks> void multiply(matrix c, const_matrix a, const_matrix b, std::size_t size, std::size_t base) {
    if (size <= base) {
        multiply_small(c, a, b, size);
        return;
    }
    const std::size_t half = size / 2;
    const std::size_t area = half * half;
    const auto parts = std::make_unique_for_overwrite<double[]>(products * area);
    Forks::each(products, [to = parts.get(), a, b, half, area, base](std::size_t index) {
        const auto factors = std::make_unique_for_overwrite<double[]>(2 * area);
        double* const left = factors.get();
        double* const right = left + area;
        form_factors(index, left, right, a, b, half);
        multiply<Forks>({to + index * area, half}, {left, half}, {right, half}, half, base);
    });
    combine(c, parts.get(), half);
}

// The greatest number of rows that p lets a task multiply without forks.
std::size_t base_of(const parameters& p);

template <class Forks> void multiply_all(matrix_product& all, std::size_t base) {
    multiply<Forks>(all.result(), all.left(), all.right(), all.size(), base);
}

// Matrices of the size that p asks for.
matrix_product generated(const parameters& p);

// The tasks that it reports are the leaves.
outcome checked(const matrix_product& found, double seconds, std::size_t base);

// What run_strassen() does with a runtime's forks (harness/serial.hpp).
template <class Forks> outcome measured(const parameters& p) {
    matrix_product product = generated(p);
    const std::size_t base = base_of(p);
    const double seconds = time_seconds([&] { Forks::run(p, [&] { multiply_all<Forks>(product, base); }); });
    return checked(product, seconds, base);
}

}  // namespace bench::strassen
