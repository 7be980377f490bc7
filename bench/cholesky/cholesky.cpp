// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix and the check of cholesky; see cholesky.hpp.
#include <bench/cholesky/cholesky.hpp>

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/figures.hpp>
#include <bench/harness/random.hpp>

#include <cmath>

namespace bench {
namespace {

std::uint64_t tasks_of(const tiling& shape) {
    const std::uint64_t count = shape.count;
    // potrf, trsm and syrk, gemm: one for each tile, each pair of tiles and each three tiles of a column.
    return count + count * (count - 1) + count * (count - 1) * (count - 2) / 6;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const tiling shape(cholesky_description, p);
    return shape.lower_tiles() * shape.tile_bytes() + dataflow::memory_bytes(p, family, tasks_of(shape));
}

const micro_description micro = dataflow::rate("gflops", "GFLOP/s", "Cholesky factorization", "GFLOP/s");

}  // namespace

const kernel_description cholesky_description = {
    .name = "cholesky", .sizes = {.quick = "1024x128", .paper = "4096x128", .tiny = "32x8", .check = "96x16"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace cholesky {

workload::workload(const parameters& p)
    : shape(cholesky_description, p), lower(shape.lower_tiles(), tile(shape.rows * shape.rows)), vector(shape.size()) {
    use_one_blas_thread(p.threads);
    constexpr std::uint64_t seed = 1924;
    seeded_random random(seed);
    const auto size = static_cast<double>(shape.size());
    for (std::size_t row = 0; row < shape.count; ++row) {
        for (std::size_t column = 0; column < row; ++column)
            for (double& each : lower[tiling::lower_place(row, column)]) each = 2 * random.unit() - 1;
        // An element on the diagonal is larger than all others of its row together, which makes the matrix positive
        // definite.
        tile& diagonal = lower[tiling::lower_place(row, row)];
        for (std::size_t j = 0; j < shape.rows; ++j)
            for (std::size_t i = j; i < shape.rows; ++i)
                diagonal[j * shape.rows + i] = i == j ? size + random.unit() : 2 * random.unit() - 1;
    }
    for (double& each : vector) each = 2 * random.unit() - 1;
    std::vector<const tile*> tiles;
    for (const tile& each : lower) tiles.push_back(&each);
    product = symmetric_times(shape, tiles, vector);
}

outcome checked(const workload& given, const std::vector<const tile*>& factor, double seconds) {
    const tiling& shape = given.shape;
    std::vector<double> half(shape.size());
    std::vector<double> product(shape.size());
    const auto each_tile = [&](const auto& use) {
        for (std::size_t row = 0; row < shape.count; ++row)
            for (std::size_t column = 0; column <= row; ++column)
                use(*factor[tiling::lower_place(row, column)], row == column ? tile_part::lower : tile_part::whole,
                    row * shape.rows, column * shape.rows);
    };
    each_tile([&](const tile& from, tile_part part, std::size_t above, std::size_t before) {
        add_transposed_times(from, shape.rows, part, &given.vector[above], &half[before]);
    });
    each_tile([&](const tile& from, tile_part part, std::size_t above, std::size_t before) {
        add_times(from, shape.rows, part, &half[before], &product[above]);
    });
    double largest = 0;
    for (std::size_t row = 0; row < product.size(); ++row) {
        const double error = std::fabs(product[row] - given.product[row]);
        // Once `largest` is NaN, it stays NaN.
        if (std::isnan(error) || error > largest) largest = error;
    }
    // Twice the size bounds the sum of a row; a sum has as many terms as the matrix has rows.
    const auto size = static_cast<double>(shape.size());
    outcome result = near_outcome(seconds, tasks_of(shape), largest, 0, 0x1p-53 * size * (2 * size + 64));
    result.measures.push_back({"gflops", measure::role::found, {size * size * size / 3 / seconds * 1e-9}});
    return result;
}

}  // namespace cholesky
}  // namespace bench
