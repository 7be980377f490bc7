// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorization of a symmetric matrix of tiles, by the computations of LAPACK and BLAS on tiles: the program
// that the task graph of section 5.5.2 of H. Vandierendonck, G. Tzenakis, D. S. Nikolopoulos, Analysis of Dependence
// Tracking Algorithms for Task Dataflow Execution, ACM TACO, 2013, stands for.
//
// Step k factors tile (k, k) (potrf), divides the tiles below it by the factor (trsm), and subtracts the products of
// each two of these from the tiles to their right (syrk on the diagonal, else gemm). A size is the rows of the matrix
// and those of a tile.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/tiles.hpp>

#include <cstddef>
#include <vector>

namespace bench::cholesky {

struct workload {
    explicit workload(const parameters& p);

    tiling shape;
    std::vector<tile> lower;             // of the matrix, on and below the diagonal
    std::vector<double> vector;
    std::vector<double> product;         // of the matrix and the vector
};

// The answer is the largest error of the product of the factor, its transpose and the vector.
outcome checked(const workload& given, const std::vector<const tile*>& factor, double seconds);

template <class Face> outcome measured(const parameters& p) {
    workload given(p);
    const std::size_t count = given.shape.count;
    const std::size_t rows = given.shape.rows;
    std::vector<typename Face::template data<tile>> lower(given.lower.size());
    for (std::size_t place = 0; place < lower.size(); ++place) lower[place].value().swap(given.lower[place]);
    const auto at = [&lower](std::size_t row, std::size_t column) -> auto& {
        return lower[tiling::lower_place(row, column)];
    };
    const auto potrf = [rows](tile& diagonal) { factor(diagonal, rows); };
    const auto trsm = [rows](const tile& diagonal, tile& below) { divide(diagonal, below, rows); };
    const auto syrk = [rows](const tile& left, tile& to) { add_square(-1, left, to, rows); };
    const auto gemm = [rows](const tile& left, const tile& above, tile& to) { add_product(-1, left, above, to, rows); };
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            for (std::size_t step = 0; step < count; ++step) {
                Face::spawn(potrf, Face::inout(at(step, step)));
                for (std::size_t row = step + 1; row < count; ++row)
                    Face::spawn(trsm, Face::in(at(step, step)), Face::inout(at(row, step)));
                for (std::size_t row = step + 1; row < count; ++row) {
                    for (std::size_t column = step + 1; column < row; ++column)
                        Face::spawn(gemm, Face::in(at(row, step)), Face::in(at(column, step)),
                                    Face::inout(at(row, column)));
                    Face::spawn(syrk, Face::in(at(row, step)), Face::inout(at(row, row)));
                }
            }
        });
    });
    std::vector<const tile*> found;
    for (auto& each : lower) found.push_back(&each.value());
    return checked(given, found, seconds);
}

}  // namespace bench::cholesky
