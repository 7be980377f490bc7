// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cholesky factorization with teff::mpi::procedure; see cholesky.hpp.
#include <bench/mpi/cholesky.hpp>

#include <teff/mpi_dataflow.hpp>

#include <mpi.h>

#include <algorithm>
#include <span>

namespace bench::mpi {
namespace {

outcome run(const run_settings& asked) {
    const cholesky::workload given(asked.run);
    const std::size_t rows = given.shape.rows;
    teff::mpi::procedure tasks(MPI_COMM_WORLD, {.threads = asked.options.threads});
    const grid owners(tasks.ranks());
    std::vector<teff::mpi::object<double[]>> lower;
    for (std::size_t row = 0; row < given.shape.count; ++row) {
        for (std::size_t column = 0; column <= row; ++column) {
            lower.emplace_back(tasks, owners.owner(row, column), rows * rows);
            const std::span<double> owned = lower.back().owned_value();
            if (!owned.empty())
                std::ranges::copy(given.lower[lower.size() - 1], owned.begin());
        }
    }
    const auto at = [&lower](std::size_t row, std::size_t column) -> auto& {
        return lower[tiling::lower_place(row, column)];
    };
    using tile_in = std::span<const double>;
    using tile_out = std::span<double>;
    const auto potrf = [rows](tile_out diagonal) { factor(diagonal.data(), rows); };
    const auto trsm = [rows](tile_in diagonal, tile_out below) { divide(diagonal.data(), below.data(), rows); };
    const auto syrk = [rows](tile_in left, tile_out to) { add_square(-1, left.data(), to.data(), rows); };
    const auto gemm = [rows](tile_in left, tile_in above, tile_out to) {
        add_product(-1, left.data(), above.data(), to.data(), rows);
    };
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = time_seconds([&] {
        each_task(
            given.shape.count, [&](std::size_t k) { tasks.spawn(potrf, inout(at(k, k))); },
            [&](std::size_t row, std::size_t k) { tasks.spawn(trsm, in(at(k, k)), inout(at(row, k))); },
            [&](std::size_t row, std::size_t column, std::size_t k) {
                tasks.spawn(gemm, in(at(row, k)), in(at(column, k)), inout(at(row, column)));
            },
            [&](std::size_t row, std::size_t k) { tasks.spawn(syrk, in(at(row, k)), inout(at(row, row))); });
        tasks.sync();
    });
    std::vector<tile> found;
    for (teff::mpi::object<double[]>& each : lower) {
        const std::span<const double> value = each.value();
        found.emplace_back(value.begin(), value.end());
    }
    return checked(given, found, seconds);
}

const kernel_description description = cholesky_on_ranks();

}  // namespace

const program cholesky_program = {teff_runtime, description, one_variant(), run, MPI_THREAD_MULTIPLE};

}  // namespace bench::mpi
