// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of task_length; see task_length.hpp.
#include <bench/task_length/task_length.hpp>

#include <bench/dataflow/figures.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

constexpr size_part parts[] = {{"NANOSECONDS", 0, 1'000'000'000}, {"TASKS", 1, 1'000'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // A flow graph has a node for every task, and StarPU does not bound its tasks.
    const bool keeps_all = family == runtime_family::tbb || family == runtime_family::starpu;
    return task_memory_bytes(p, family, 0, 0) + (keeps_all ? task_length::work_of(p).tasks * 1024 : 0);
}

const micro_description micro = {
    .headline = "overhead_ns", .headline_title = "overhead ns",
    .figures = {dataflow::over_length("Overhead of independent tasks by their length", "overhead_ns",
                                      "ns for each task", 1),
                dataflow::over_length("Threads in use by the length of tasks", "threads_in_use",
                                      "tasks' time / time of the run", 0.001)},
    .paced = true,
};

}  // namespace

const kernel_description task_length_description = {
    .name = "task_length",
    .sizes = {.quick = "100x300000,1000x100000,10000x20000,100000x3000",
              .paper = "100x3000000,300x3000000,1000x1000000,3000x1000000,10000x300000,"
                       "30000x100000,100000x30000,300000x10000",
              .tiny = "100x1000", .check = "100x2000"},
    .variants = dataflow::usual_variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace task_length {

work work_of(const parameters& p) {
    const auto numbers = size_numbers(task_length_description, p, parts);
    return {numbers[0], numbers[1]};
}

outcome checked(const parameters& p, const work_done& done, double seconds) {
    const work of = work_of(p);
    const auto text = [](const work_done& all) {
        return std::to_string(all.tasks) + " tasks, values " + std::to_string(all.sum);
    };
    outcome told = exact_outcome(seconds, of.tasks, text(done), text({of.tasks, of.tasks}));
    const auto tasks = static_cast<double>(of.tasks);
    const auto length = static_cast<double>(of.nanoseconds);
    told.measures = {
        {"length_ns", measure::role::given, {length}},
        {"overhead_ns", measure::role::found, {seconds * 1e9 / tasks * p.threads - length}},
        {"threads_in_use", measure::role::found, {length * tasks / (seconds * 1e9)}},
    };
    return told;
}

}  // namespace task_length
}  // namespace bench
