// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of arguments; see arguments.hpp.
#include <bench/arguments/arguments.hpp>

#include <bench/generations/generations.hpp>
#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"ACCESSES", 1, arguments::most_accesses}, {"TASKS", 1, 1'000'000}};

std::vector<variant_description> variants(runtime_family family) {
    // Those that can hold a task.
    if (generations::variants(family).empty()) return {};
    constexpr unsigned least_threads = 2;
    return {{"tasks", true, least_threads}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    const arguments::work of = arguments::work_of(p);
    constexpr std::uint64_t access_bytes = 256;
    return task_memory_bytes(p, family, 0, 0) + of.tasks * (1024 + of.accesses * access_bytes);
}

const micro_description micro = {
    .headline = "task_ns", .headline_title = "ns/task",
    .figures = {{.form = figure_description::shape::lines,
                 .title = "Time of a waiting task by its number of accesses",
                 .measured = "task_ns", .measured_title = "ns for each task",
                 .across = "accesses", .across_title = "accesses of a task"}},
};

}  // namespace

const kernel_description arguments_description = {
    .name = "arguments",
    .sizes = {.quick = "1x1000,2x1000,4x1000,8x1000,12x1000,16x1000,20x1000",
              .paper = "1x1000,2x1000,4x1000,6x1000,8x1000,10x1000,12x1000,14x1000,16x1000,18x1000,20x1000",
              .tiny = "2x10", .check = "20x50"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro, .prepare = dataflow::allow_any_number_of_tasks,
    .dataflow = true,
};

namespace arguments {

work work_of(const parameters& p) {
    const auto numbers = size_numbers(arguments_description, p, parts);
    constexpr std::uint64_t least_tasks = 20'000;
    return {numbers[0], numbers[1], 1 + least_tasks / numbers[1]};
}

outcome checked(const work& of, const found& result) {
    const auto text = [](std::uint64_t tasks, std::uint64_t sum) {
        return std::to_string(tasks) + " tasks, values " + std::to_string(sum);
    };
    const std::uint64_t tasks = of.tasks * of.programs;
    outcome told = exact_outcome(result.seconds, tasks, text(result.tasks, result.sum),
                                 text(tasks, tasks * of.accesses));
    told.measures = {
        {"accesses", measure::role::given, {static_cast<double>(of.accesses)}},
        {"task_ns", measure::role::found, {result.seconds * 1e9 / static_cast<double>(tasks)}},
    };
    return told;
}

}  // namespace arguments
}  // namespace bench
