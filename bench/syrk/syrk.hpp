// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the product of a matrix and its transpose to a symmetric matrix, C + A A^T, by BLAS's computations on tiles
// (syrk on the diagonal of C, else gemm). Each tile of C is the end of a chain of tasks; the chains do not depend on
// each other. A size is the rows of the matrices and those of a tile.
//
// Elements are small integers, so all sums are exact, in whatever order they are computed.
#pragma once

#include <bench/harness/kernel.hpp>
#include <bench/harness/tiles.hpp>

#include <cstddef>
#include <vector>

namespace bench::syrk {

struct workload {
    explicit workload(const parameters& p);

    tiling shape;
    std::vector<tile> factor;            // A, row by row
    std::vector<tile> lower;             // of C, on and below the diagonal
    std::vector<double> vector;
    std::vector<double> expected;        // the product of C + A A^T and the vector
};

// A single wrong element is always noticed: no element of the vector is 0.
outcome checked(const workload& given, const std::vector<const tile*>& lower, double seconds);

template <class Face> outcome measured(const parameters& p) {
    workload given(p);
    const std::size_t count = given.shape.count;
    const std::size_t rows = given.shape.rows;
    std::vector<typename Face::template data<tile>> factor(given.factor.size());
    for (std::size_t place = 0; place < factor.size(); ++place) factor[place].value().swap(given.factor[place]);
    std::vector<typename Face::template data<tile>> lower(given.lower.size());
    for (std::size_t place = 0; place < lower.size(); ++place) lower[place].value().swap(given.lower[place]);
    const auto square = [rows](const tile& from, tile& to) { add_square(1, from, to, rows); };
    const auto multiply = [rows](const tile& left, const tile& above, tile& to) {
        add_product(1, left, above, to, rows);
    };
    const double seconds = time_seconds([&] {
        Face::run(p, [&] {
            for (std::size_t row = 0; row < count; ++row) {
                for (std::size_t column = 0; column <= row; ++column) {
                    auto& to = lower[tiling::lower_place(row, column)];
                    for (std::size_t step = 0; step < count; ++step) {
                        auto& left = factor[row * count + step];
                        auto& above = factor[column * count + step];
                        if (row == column)
                            Face::spawn(square, Face::in(left), Face::inout(to));
                        else Face::spawn(multiply, Face::in(left), Face::in(above), Face::inout(to));
                    }
                }
            }
        });
    });
    std::vector<const tile*> found;
    for (auto& each : lower) found.push_back(&each.value());
    return checked(given, found, seconds);
}

}  // namespace bench::syrk
