// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of generations; see generations.hpp.
#include <bench/generations/generations.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <string_view>

namespace bench {
namespace {

constexpr size_part parts[] = {{"GENERATIONS", 2, 3}, {"TASKS", 1, 1'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return generations::memory_bytes(p, family, generations::shape_of(p));
}

const figure_description times(const char* title, const char* measured, double generations) {
    return {.form = figure_description::shape::lines, .title = title,
            .measured = measured, .measured_title = "ns for each task",
            .across = "tasks", .across_title = "tasks of a generation", .where = "generations", .equals = generations,
            .least = 10, .by_variant = true};
}

const micro_description micro = {
    .headline = "task_ns", .headline_title = "ns/task",
    .figures = {times("Two generations, time to spawn", "spawn_ns", 2), times("Two generations", "task_ns", 2),
                times("Three generations, time to spawn", "spawn_ns", 3), times("Three generations", "task_ns", 3)},
    .variants_differ = true,
};

}  // namespace

const kernel_description generations_description = {
    .name = "generations",
    .sizes = {.quick = "2x10,2x100,2x1000,2x10000,3x10,3x100,3x1000,3x3000",
              .paper = "2x1,2x10,2x100,2x1000,2x10000,3x1,3x10,3x100,3x1000,3x10000", .tiny = "2x10", .check = "3x50"},
    .variants = generations::variants, .memory_bytes = memory_bytes, .micro = &micro,
    .prepare = dataflow::allow_any_number_of_tasks, .dataflow = true,
};

namespace generations {

shape shape_of(const parameters& p) {
    const auto numbers = size_numbers(generations_description, p, parts);
    return {numbers[0], numbers[1]};
}

std::vector<variant_description> variants(runtime_family family) {
    // Without threads nothing waits. libgomp limits the tasks that have not ended: the thread that spawns would wait
    // for the task that it holds itself.
#if defined(__clang__)
    constexpr bool limits_tasks = false;
#else
    constexpr bool limits_tasks = true;
#endif
    if (family == runtime_family::serial || (family == runtime_family::openmp && limits_tasks)) return {};
    constexpr unsigned least_threads = 2;
    return dataflow::usage_variants(family, dataflow::usage::in, least_threads);
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family, const shape& of) {
    constexpr std::uint64_t task_bytes = 1024;
    constexpr std::uint64_t edge_bytes = 64;
    // With edges between tasks, each of a generation waits for each of the one before.
    const bool is_chain = family == runtime_family::tbb;
    const bool has_edges =
        !is_chain && (family != runtime_family::teff || p.tracker == "graph" || p.tracker == "embedded_graph");
    const bool is_wide = of.generations == 3 && p.variant != "in" && p.variant != "out" && p.variant != "inout";
    return task_memory_bytes(p, family, 0, 0) + of.all_tasks() * task_bytes +
           (has_edges && is_wide ? of.tasks * of.tasks * edge_bytes : 0);
}

outcome checked(const shape& of, const found& result, std::uint64_t programs) {
    const std::uint64_t tasks = of.all_tasks() * programs;
    outcome told = exact_outcome(result.seconds, tasks, std::to_string(result.tasks) + " tasks",
                                 std::to_string(tasks) + " tasks");
    const double nanoseconds = 1e9 / static_cast<double>(tasks);
    told.measures = {
        {"generations", measure::role::given, {static_cast<double>(of.generations)}},
        {"tasks", measure::role::given, {static_cast<double>(of.tasks)}},
        {"task_ns", measure::role::found, {result.seconds * nanoseconds}},
        {"spawn_ns", measure::role::found, {result.spawn_seconds * nanoseconds}},
    };
    return told;
}

}  // namespace generations
}  // namespace bench
