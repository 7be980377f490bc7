// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and measures of steal; see steal.hpp.
#include <bench/steal/steal.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/micro/micro.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"NANOSECONDS", 0, 1'000'000'000}, {"TASKS", 1, 100'000'000'000}};

task_program program_of(const parameters& p) {
    const auto numbers = size_numbers(steal_description, p, parts);
    task_program program =
        task_program::equal_sources(1, numbers[1], {.iterations = delay_iterations(p.pace, numbers[0])});
    program.counts_workers = true;
    return program;
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return program_memory_bytes(family, program_of(p));
}

const micro_description micro = {
    .headline = "delta_mean", .headline_title = "mean delta",
    .figures = {{.form = figure_description::shape::boxes,
                 .title = "Distance of each worker from an equal share, one worker creating all tasks",
                 .measured = "delta", .measured_title = "delta: |tasks - ideal| / ideal"}},
    .paced = true,
};

}  // namespace

const kernel_description steal_description = {
    .name = "steal", .sizes = {.quick = "100x262144", .paper = "100x65536", .tiny = "1x1000", .check = "10x1000"},
    .variants = variants_with_threads, .memory_bytes = memory_bytes, .micro = &micro,
};

outcome run_steal(const parameters& p) {
    const task_program program = program_of(p);
    return checked_with_workers(p, program, size_numbers(steal_description, p, parts)[0]);
}

}  // namespace bench
