// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and measures of distribution; see distribution.hpp.
#include <bench/distribution/distribution.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/micro/micro.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"NANOSECONDS", 0, 1'000'000'000}, {"TASKS", 5000, 100'000'000'000}};

task_program program_of(const parameters& p) {
    const auto numbers = size_numbers(distribution_description, p, parts);
    task_program program = task_program::equal_sources(p.threads, numbers[1] / p.threads,
                                                       {.iterations = delay_iterations(p.pace, numbers[0])});
    program.counts_workers = true;
    return program;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return program_memory_bytes(family, program_of(p));
}

const micro_description micro = {
    .headline = "delta_mean", .headline_title = "mean delta",
    .figures = {{.form = figure_description::shape::boxes, .title = "Tasks of each worker",
                 .measured = "tasks_by_worker", .measured_title = "tasks"}},
    .paced = true,
};

}  // namespace

const kernel_description distribution_description = {
    .name = "distribution",
    .sizes = {.quick = "100x500000", .paper = "100x8000000", .tiny = "1x5000", .check = "10x5000"},
    .variants = variants_with_threads, .memory_bytes = memory_bytes, .micro = &micro,
};

outcome run_distribution(const parameters& p) {
    const task_program program = program_of(p);
    return checked_with_workers(p, program, size_numbers(distribution_description, p, parts)[0]);
}

}  // namespace bench
