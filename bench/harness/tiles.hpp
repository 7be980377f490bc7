// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of square tiles, and what BLAS and LAPACK compute on tiles: the leaves of tiled linear algebra. Needs
// OpenBLAS (TEFF_BENCH_HAS_OPENBLAS).
//
// A tile is contiguous, column by column. Where a matrix is symmetric or triangular, there are only the tiles on and
// below its diagonal, and of a tile on the diagonal only the lower half counts.
#pragma once

#include <bench/harness/kernel.hpp>

#include <cstddef>
#include <vector>

namespace bench {

using tile = std::vector<double>;

// A square matrix of `count` by `count` tiles of `rows` rows each.
struct tiling {
    std::size_t count;
    std::size_t rows;

    // Of a size such as 1024x128: the rows of the matrix, which are a multiple of those of a tile.
    tiling(const kernel_description& kernel, const parameters& p);

    std::size_t size() const { return count * rows; }
    std::size_t tile_bytes() const { return rows * rows * sizeof(double); }

    // The tiles on and below the diagonal, and the place of one among them.
    std::size_t lower_tiles() const { return count * (count + 1) / 2; }
    static std::size_t lower_place(std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; }
};

// OpenBLAS then computes on the thread that calls it. Throws usage_error if this variant of OpenBLAS must not be called
// by so many threads at the same time.
void use_one_blas_thread(unsigned callers);

// On tiles of `rows` rows. factor: replaces the lower half by the Cholesky factor; an element becomes NaN if there is
// none. divide: `tile` times the inverse of the transposed factor. add_square: to += scale * from * from^T, the lower
// half. add_product: to += scale * left * right^T.
void factor(double* diagonal, std::size_t rows);
void divide(const double* factor, double* below, std::size_t rows);
void add_square(double scale, const double* from, double* to, std::size_t rows);
void add_product(double scale, const double* left, const double* right, double* to, std::size_t rows);
inline void factor(tile& diagonal, std::size_t rows) { factor(diagonal.data(), rows); }
inline void divide(const tile& factor, tile& below, std::size_t rows) { divide(factor.data(), below.data(), rows); }
inline void add_square(double scale, const tile& from, tile& to, std::size_t rows) {
    add_square(scale, from.data(), to.data(), rows);
}
inline void add_product(double scale, const tile& left, const tile& right, tile& to, std::size_t rows) {
    add_product(scale, left.data(), right.data(), to.data(), rows);
}

// The part of a tile that a product with a vector takes.
enum class tile_part { whole, lower, below_diagonal };

// to += tile * vector, and to += tile^T * vector. Plain loops, for checks.
void add_times(const tile& from, std::size_t rows, tile_part part, const double* vector, double* to);
void add_transposed_times(const tile& from, std::size_t rows, tile_part part, const double* vector, double* to);

// The product of a symmetric matrix, given by its tiles on and below the diagonal, and a vector.
std::vector<double> symmetric_times(const tiling& shape, const std::vector<const tile*>& lower,
                                    const std::vector<double>& vector);

}  // namespace bench
