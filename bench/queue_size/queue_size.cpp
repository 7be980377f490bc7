// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes and measures of queue_size; see queue_size.hpp.
#include <bench/queue_size/queue_size.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>
#include <bench/micro/micro.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"CAPACITY", 0, 1'000'000},
                               {"TASKS_PER_WORKER", 0, 1'000'000'000},
                               {"MICROSECONDS", 1, 100'000'000}};
constexpr std::uint64_t long_tasks_per_thread = 10;
constexpr std::uint64_t short_nanoseconds = 100;

struct work {
    std::uint64_t capacity;
    std::uint64_t tasks_per_worker;
    std::uint64_t long_microseconds;

    explicit work(const parameters& p) {
        const auto numbers = size_numbers(queue_size_description, p, parts);
        capacity = numbers[0];
        tasks_per_worker = numbers[1];
        long_microseconds = numbers[2];
    }

    // The long tasks have the first numbers and belong to the first source.
    task_program program(const parameters& p) const {
        const std::uint64_t long_tasks = long_tasks_per_thread * p.threads;
        task_program made;
        made.load = {.iterations = delay_iterations(p.pace, short_nanoseconds),
                     .long_tasks = long_tasks,
                     .long_iterations = p.pace * long_microseconds};
        made.sources.push_back({0, long_tasks + tasks_per_worker});
        for (unsigned index = 1; index < p.threads; ++index)
            made.sources.push_back({long_tasks + index * tasks_per_worker, tasks_per_worker});
        made.capacity = capacity;
        return made;
    }
};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return program_memory_bytes(family, work(p).program(p));
}

const micro_description micro = {
    .headline = "seconds", .headline_title = "seconds",
    .figures = {{.form = figure_description::shape::lines,
                 .title = "Time with a loaded master, by the capacity of the queues",
                 .measured = "seconds", .measured_title = "seconds",
                 .across = "capacity", .across_title = "capacity of a queue, tasks"}},
    .paced = true,
    .peer_quick = "0x100000x2000",
    .peer_paper = "0x8000000x1000000",
};

}  // namespace

const kernel_description queue_size_description = {
    .name = "queue_size",
    .sizes = {.quick = "4x100000x2000,16x100000x2000,64x100000x2000,256x100000x2000,4096x100000x2000",
              .paper = "16x8000000x1000000,64x8000000x1000000,256x8000000x1000000,"
                       "1024x8000000x1000000,4096x8000000x1000000",
              .tiny = "0x1000x1", .check = "2x1000x10"},
    .variants = variants_with_threads, .memory_bytes = memory_bytes, .micro = &micro,
    .prepare = [](const parameters& p) { prepare_capacity(work(p).capacity); },
};

outcome run_queue_size(const parameters& p) {
    const work asked(p);
    const task_program program = asked.program(p);
    const program_result found = run_program(p, program);
    outcome result = found.checked(program);
    result.measures = {
        {"long_us", measure::role::given, {static_cast<double>(asked.long_microseconds)}},
        {"tasks_per_worker", measure::role::given, {static_cast<double>(asked.tasks_per_worker)}},
    };
    if (found.capacity != 0)
        result.measures.push_back({"capacity", measure::role::given, {static_cast<double>(found.capacity)}});
    return result;
}

}  // namespace bench
