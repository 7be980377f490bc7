// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See tiles.hpp.
#include <bench/harness/tiles.hpp>

#include <bench/harness/size.hpp>

#include <cblas.h>

#include <limits>

// LAPACK's Cholesky factorization, which OpenBLAS has beside BLAS. Its header for C is in another package.
extern "C" void dpotrf_(const char* half, const int* rows, double* matrix, const int* stride, int* failed);

namespace bench {
namespace {

constexpr size_part parts[] = {{"ROWS", 1, 65536}, {"TILE", 1, 4096}};

std::size_t first_row(tile_part part, std::size_t column) {
    if (part == tile_part::whole) return 0;
    return part == tile_part::lower ? column : column + 1;
}

}  // namespace

tiling::tiling(const kernel_description& kernel, const parameters& p) {
    const std::vector<std::uint64_t> numbers = size_numbers(kernel, p, parts);
    if (numbers[0] % numbers[1] != 0)
        throw usage_error("--size " + p.size + ": " + kernel.name + ": ROWS must be a multiple of TILE");
    count = numbers[0] / numbers[1];
    rows = numbers[1];
}

void use_one_blas_thread(unsigned callers) {
    // The variant without threads need not have locks: Debian's gives wrong results to threads that call it at the same
    // time. The variant with OpenMP would bring a second OpenMP into some runners.
    if (callers > 1 && openblas_get_parallel() != OPENBLAS_THREAD)
        throw usage_error("OpenBLAS without threads must not be called by several threads; install "
                          "libopenblas0-pthread, and select it by update-alternatives");
    openblas_set_num_threads(1);
}

void factor(double* diagonal, std::size_t rows) {
    const int size = static_cast<int>(rows);
    int failed = 0;
    dpotrf_("L", &size, diagonal, &size, &failed);
    if (failed != 0) diagonal[0] = std::numeric_limits<double>::quiet_NaN();
}

void divide(const double* factor, double* below, std::size_t rows) {
    const int size = static_cast<int>(rows);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, size, size, 1, factor, size, below,
                size);
}

void add_square(double scale, const double* from, double* to, std::size_t rows) {
    const int size = static_cast<int>(rows);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, size, size, scale, from, size, 1, to, size);
}

void add_product(double scale, const double* left, const double* right, double* to, std::size_t rows) {
    const int size = static_cast<int>(rows);
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, size, size, size, scale, left, size, right, size, 1, to, size);
}

void add_times(const tile& from, std::size_t rows, tile_part part, const double* vector, double* to) {
    for (std::size_t column = 0; column < rows; ++column)
        for (std::size_t row = first_row(part, column); row < rows; ++row)
            to[row] += from[column * rows + row] * vector[column];
}

void add_transposed_times(const tile& from, std::size_t rows, tile_part part, const double* vector, double* to) {
    for (std::size_t column = 0; column < rows; ++column)
        for (std::size_t row = first_row(part, column); row < rows; ++row)
            to[column] += from[column * rows + row] * vector[row];
}

std::vector<double> symmetric_times(const tiling& shape, const std::vector<const tile*>& lower,
                                    const std::vector<double>& vector) {
    std::vector<double> product(shape.size());
    for (std::size_t row = 0; row < shape.count; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            const tile& from = *lower[tiling::lower_place(row, column)];
            const bool on_diagonal = row == column;
            const std::size_t above = row * shape.rows;
            const std::size_t before = column * shape.rows;
            add_times(from, shape.rows, on_diagonal ? tile_part::lower : tile_part::whole, &vector[before],
                      &product[above]);
            add_transposed_times(from, shape.rows, on_diagonal ? tile_part::below_diagonal : tile_part::whole,
                                 &vector[above], &product[before]);
        }
    }
    return product;
}

}  // namespace bench
