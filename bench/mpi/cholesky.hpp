// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorization on many machines: the tasks of bench/cholesky on tiles that the ranks own in two dimensions,
// block-cyclically, with teff::mpi::procedure, and by StarPU-MPI alone. Both call the same functions for a tile, have
// --threads workers of StarPU's usual scheduler that are bound to no processor, and are checked by the same function.
//
// The time is from the first task's submission until all ranks have ended. Every rank makes the whole matrix before,
// and gets the whole factor afterwards, to check it.
#pragma once

#include <bench/cholesky/cholesky.hpp>
#include <bench/mpi/program.hpp>

#include <cstddef>
#include <vector>

namespace bench::mpi {

// Which rank owns a tile.
class grid {
public:
    explicit grid(int ranks) {
        for (int rows = 1; rows * rows <= ranks; ++rows)
            if (ranks % rows == 0)
                rows_ = rows;
        columns_ = ranks / rows_;
    }
    int owner(std::size_t row, std::size_t column) const {
        return static_cast<int>(row) % rows_ * columns_ + static_cast<int>(column) % columns_;
    }

private:
    int rows_ = 1, columns_ = 1;
};

// Calls the functions for the tasks, in program order, with rows and columns of tiles: potrf(k), trsm(row, k),
// gemm(row, column, k) and syrk(row, k).
template <class Potrf, class Trsm, class Gemm, class Syrk>
void each_task(std::size_t count, const Potrf& potrf, const Trsm& trsm, const Gemm& gemm, const Syrk& syrk) {
    for (std::size_t step = 0; step < count; ++step) {
        potrf(step);
        for (std::size_t row = step + 1; row < count; ++row)
            trsm(row, step);
        for (std::size_t row = step + 1; row < count; ++row) {
            for (std::size_t column = step + 1; column < row; ++column)
                gemm(row, column, step);
            syrk(row, step);
        }
    }
}

// The kernel, with sizes for many ranks.
inline kernel_description cholesky_on_ranks() {
    kernel_description kernel = cholesky_description;
    kernel.mpi = kind_sizes{"1024x128", "4096x256"};
    return kernel;
}

// `found`: the tiles of the whole factor.
inline outcome checked(const cholesky::workload& given, const std::vector<tile>& found, double seconds) {
    std::vector<const tile*> factor;
    for (const tile& each : found)
        factor.push_back(&each);
    return cholesky::checked(given, factor, seconds);
}

}  // namespace bench::mpi
