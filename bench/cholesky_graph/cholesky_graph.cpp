// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of cholesky_graph; see cholesky_graph.hpp.
#include <bench/cholesky_graph/cholesky_graph.hpp>

#include <bench/dataflow/figures.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"BLOCKS", 1, 512}, {"NANOSECONDS", 0, 1'000'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const cholesky_graph::work of = cholesky_graph::work_of(p);
    // The others do not bound their tasks that wait (libomp), or any (a flow graph, StarPU).
    const bool keeps_all = family != runtime_family::serial && family != runtime_family::teff;
    return task_memory_bytes(p, family, 0, 0) + of.blocks * of.blocks * 1024 + (keeps_all ? of.tasks() * 2048 : 0);
}

const micro_description micro = {
    .headline = "overhead_ns", .headline_title = "overhead ns",
    .figures = {dataflow::over_length("Tasks of a Cholesky factorization by their length", "overhead_ns",
                                      "overhead of a task, ns", 1)},
    .paced = true,
};

}  // namespace

const kernel_description cholesky_graph_description = {
    .name = "cholesky_graph",
    .sizes = {.quick = "48x100,48x1000,48x10000", .paper = "128x100,128x1000,128x10000", .tiny = "4x100",
              .check = "12x100"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace cholesky_graph {

work work_of(const parameters& p) {
    const auto numbers = size_numbers(cholesky_graph_description, p, parts);
    return {numbers[0], numbers[1]};
}

outcome checked(const work& of, double seconds, const std::vector<std::uint64_t>& values, unsigned threads) {
    std::vector<std::uint64_t> expected(values.size());
    for (std::size_t each = 0; each < expected.size(); ++each) expected[each] = each;
    each_task(
        of.blocks, [&](std::size_t a) { expected[a] = mixed(expected[a], 1); },
        [&](std::size_t a, std::size_t b) { expected[b] = mixed(expected[b], expected[a]); },
        [&](std::size_t a, std::size_t b, std::size_t c) {
            expected[c] = mixed(mixed(expected[c], expected[a]), expected[b]);
        });
    const auto text = [](const std::vector<std::uint64_t>& all) {
        std::uint64_t sum = 0;
        for (const std::uint64_t each : all) sum = mixed(sum, each);
        return std::to_string(sum);
    };
    outcome told = exact_outcome(seconds, of.tasks(), text(values), text(expected));
    const auto length = static_cast<double>(of.nanoseconds);
    told.measures = {
        {"length_ns", measure::role::given, {length}},
        {"overhead_ns", measure::role::found, {seconds * 1e9 / static_cast<double>(of.tasks()) * threads - length}},
    };
    return told;
}

}  // namespace cholesky_graph
}  // namespace bench
