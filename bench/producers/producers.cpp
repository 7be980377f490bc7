// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and measures of producers; see producers.hpp.
#include <bench/producers/producers.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/micro/micro.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"MAXLOAD", 0, 1'000'000'000}, {"TASKS", 5000, 100'000'000'000}};

struct work {
    std::uint64_t maxload;
    std::uint64_t producers;
    task_program program;

    explicit work(const parameters& p) {
        const auto numbers = size_numbers(producers_description, p, parts);
        maxload = numbers[0];
        producers = p.variant == "half" ? std::max(1U, p.threads / 2) : 1;
        program = task_program::equal_sources(producers, numbers[1] / producers, {.dummy_bound = maxload + 1});
    }
};

// With fewer than four threads, `half` is one producer and would repeat the variant `one`.
std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::serial) return {};
    return {{"one", true}, {"half", true, 4}};
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return program_memory_bytes(family, work(p).program);
}

const micro_description micro = {
    .headline = "throughput", .headline_title = "tasks/s",
    .figures = {{.form = figure_description::shape::lines, .title = "Throughput by threads, maxload 128, producers",
                 .measured = "throughput", .measured_title = "tasks per second",
                 .across = "threads", .across_title = "threads", .where = "maxload", .equals = 128, .least = 1,
                 .by_variant = true},
                {.form = figure_description::shape::lines,
                 .title = "Throughput by maxload, producers",
                 .measured = "throughput",
                 .measured_title = "tasks per second",
                 .across = "maxload",
                 .across_title = "maxload: greatest length of a task, iterations",
                 .least = 1,
                 .by_variant = true}},
    .variants_differ = true, .by_threads = true,
};

}  // namespace

const kernel_description producers_description = {
    .name = "producers",
    .sizes = {.quick = "0x400000,128x400000,1024x100000,8192x20000,32768x5000",
              .paper = "0x16000000,128x16000000,256x16000000,512x16000000,1024x16000000,2048x16000000,4096x16000000,"
                       "8192x16000000,16384x16000000,32768x16000000",
              .tiny = "0x5000", .check = "16x5000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

outcome run_producers(const parameters& p) {
    const work asked(p);
    const program_result found = run_program(p, asked.program);
    outcome result = found.checked(asked.program);
    result.measures = {
        {"maxload", measure::role::given, {static_cast<double>(asked.maxload)}},
        {"producers", measure::role::given, {static_cast<double>(asked.producers)}},
        {"throughput", measure::role::found, {static_cast<double>(found.done.tasks) / found.seconds}},
    };
    return result;
}

}  // namespace bench
