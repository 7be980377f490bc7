// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and measures of overhead; see overhead.hpp.
#include <bench/overhead/overhead.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/micro/micro.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"NANOSECONDS", 0, 1'000'000'000}, {"TASKS_PER_WORKER", 1, 1'000'000'000}};

struct work {
    std::uint64_t nanoseconds;
    std::uint64_t tasks_per_worker;

    explicit work(const parameters& p) {
        const auto numbers = size_numbers(overhead_description, p, parts);
        nanoseconds = numbers[0];
        tasks_per_worker = numbers[1];
    }

    task_program program(const parameters& p) const {
        return task_program::equal_sources(p.threads, tasks_per_worker,
                                           {.iterations = delay_iterations(p.pace, nanoseconds)});
    }
};

std::vector<variant_description> variants(runtime_family family) { return program_variants(family, true); }

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return program_memory_bytes(family, work(p).program(p));
}

const micro_description micro = {
    .headline = "overhead_ns", .headline_title = "overhead ns",
    .figures = {{.form = figure_description::shape::lines, .title = "Overhead of a task",
                 .measured = "overhead_ns", .measured_title = "overhead of a task, ns",
                 .across = "delay_ns", .across_title = "length of a task, ns", .least = 0.1}},
    .paced = true,
};

}  // namespace

const kernel_description overhead_description = {
    .name = "overhead",
    .sizes = {.quick = "1x1000000,10x1000000,100x300000,1000x60000",
              .paper = "1x8000000,10x8000000,100x8000000,1000x8000000", .tiny = "1x1000", .check = "10x1000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

outcome run_overhead(const parameters& p) {
    const work asked(p);
    const task_program program = asked.program(p);
    const program_result found = run_program(p, program);
    const auto nanoseconds = static_cast<double>(asked.nanoseconds);
    outcome result = found.checked(program);
    result.measures = {
        {"delay_ns", measure::role::given, {nanoseconds}},
        {"tasks_per_worker", measure::role::given, {static_cast<double>(asked.tasks_per_worker)}},
        {"overhead_ns", measure::role::found, {found.nanoseconds_per_task() * p.threads - nanoseconds}},
    };
    return result;
}

}  // namespace bench
