// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrices and the check of syrk; see syrk.hpp.
#include <bench/syrk/syrk.hpp>

#include <bench/dataflow/dataflow.hpp>
#include <bench/dataflow/figures.hpp>
#include <bench/harness/random.hpp>

namespace bench {
namespace {

std::uint64_t tasks_of(const tiling& shape) { return std::uint64_t{shape.lower_tiles()} * shape.count; }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const tiling shape(syrk_description, p);
    return (shape.count * shape.count + shape.lower_tiles()) * shape.tile_bytes() +
           dataflow::memory_bytes(p, family, tasks_of(shape));
}

const micro_description micro = dataflow::rate("gflops", "GFLOP/s", "Product of a matrix and its transpose", "GFLOP/s");

}  // namespace

const kernel_description syrk_description = {
    .name = "syrk", .sizes = {.quick = "1024x128", .paper = "4096x128", .tiny = "32x8", .check = "96x16"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace syrk {

workload::workload(const parameters& p)
    : shape(syrk_description, p), factor(shape.count * shape.count, tile(shape.rows * shape.rows)),
      lower(shape.lower_tiles(), tile(shape.rows * shape.rows)), vector(shape.size()) {
    use_one_blas_thread(p.threads);
    constexpr std::uint64_t seed = 1979;
    constexpr std::uint64_t bound = 8;
    seeded_random random(seed);
    for (std::vector<tile>* matrix : {&factor, &lower})
        for (tile& each : *matrix)
            for (double& element : each) element = static_cast<double>(random.below(bound));
    for (double& each : vector) each = static_cast<double>(1 + random.below(bound));
    std::vector<const tile*> tiles;
    for (const tile& each : lower) tiles.push_back(&each);
    expected = symmetric_times(shape, tiles, vector);
    std::vector<double> transposed(shape.size());
    const auto each_tile = [&](const auto& use) {
        for (std::size_t row = 0; row < shape.count; ++row)
            for (std::size_t column = 0; column < shape.count; ++column)
                use(factor[row * shape.count + column], row * shape.rows, column * shape.rows);
    };
    each_tile([&](const tile& from, std::size_t above, std::size_t before) {
        add_transposed_times(from, shape.rows, tile_part::whole, &vector[above], &transposed[before]);
    });
    each_tile([&](const tile& from, std::size_t above, std::size_t before) {
        add_times(from, shape.rows, tile_part::whole, &transposed[before], &expected[above]);
    });
}

outcome checked(const workload& given, const std::vector<const tile*>& lower, double seconds) {
    const std::vector<double> found = symmetric_times(given.shape, lower, given.vector);
    // The sums are integers below 2^53.
    std::uint64_t sum = 0;
    for (const double each : given.expected) sum = sum * 31 + static_cast<std::uint64_t>(each);
    const std::string expected = "checksum " + std::to_string(sum);
    std::string answer = expected;
    for (std::size_t row = found.size(); row-- != 0;) {
        // Written so that a NaN counts as wrong, too.
        if (!(found[row] == given.expected[row])) answer = "wrong in row " + std::to_string(row);
    }
    outcome result = exact_outcome(seconds, tasks_of(given.shape), answer, expected);
    const auto size = static_cast<double>(given.shape.size());
    result.measures.push_back({"gflops", measure::role::found, {size * size * (size + 1) / seconds * 1e-9}});
    return result;
}

}  // namespace syrk
}  // namespace bench
