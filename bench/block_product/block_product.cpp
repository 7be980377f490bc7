// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of block_product; see block_product.hpp.
#include <bench/block_product/block_product.hpp>

#include <bench/dataflow/figures.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"BLOCKS", 1, 512}, {"NANOSECONDS", 0, 1'000'000'000}};

std::vector<variant_description> variants(runtime_family family) {
    if (dataflow::variants(family).empty()) return {};
    return {{"ijk", true}, {"kij", true}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const std::uint64_t blocks = block_product::work_of(p).blocks;
    // The others do not bound their tasks that wait (libomp), or any (a flow graph, StarPU).
    const bool keeps_all = family != runtime_family::serial && family != runtime_family::teff;
    return task_memory_bytes(p, family, 0, 0) + blocks * blocks * 1024 +
           (keeps_all ? blocks * blocks * blocks * 2048 : 0);
}

const micro_description micro = {
    .headline = "overhead_ns", .headline_title = "overhead ns",
    .figures = {dataflow::over_length("Tasks of a blocked matrix product by their length", "overhead_ns",
                                      "overhead of a task, ns", 1, true)},
    .variants_differ = true, .paced = true,
};

}  // namespace

const kernel_description block_product_description = {
    .name = "block_product",
    .sizes = {.quick = "32x100,32x1000,32x10000", .paper = "128x100,128x1000,128x10000", .tiny = "4x100",
              .check = "10x100"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace block_product {

work work_of(const parameters& p) {
    const auto numbers = size_numbers(block_product_description, p, parts);
    return {numbers[0], numbers[1], p.variant == "ijk"};
}

outcome checked(const work& of, double seconds, std::uint64_t answer, unsigned threads) {
    const std::size_t blocks = of.blocks;
    std::uint64_t expected = 0;
    for (std::size_t i = 0; i < blocks; ++i) {
        for (std::size_t j = 0; j < blocks; ++j) {
            std::uint64_t sum = 0;
            for (std::size_t k = 0; k < blocks; ++k) sum = mixed(sum, i * blocks + k + 1, k * blocks + j + 2);
            expected = mixed(expected, sum, 1);
        }
    }
    const std::uint64_t tasks = blocks * blocks * blocks;
    outcome told = exact_outcome(seconds, tasks, std::to_string(answer), std::to_string(expected));
    const auto length = static_cast<double>(of.nanoseconds);
    told.measures = {
        {"length_ns", measure::role::given, {length}},
        {"overhead_ns", measure::role::found, {seconds * 1e9 / static_cast<double>(tasks) * threads - length}},
    };
    return told;
}

}  // namespace block_product
}  // namespace bench
