// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes, measures and check of spawn_delay; see spawn_delay.hpp.
#include <bench/spawn_delay/spawn_delay.hpp>

#include <bench/dataflow/figures.hpp>
#include <bench/harness/size.hpp>

namespace bench {
namespace {

std::vector<variant_description> variants(runtime_family family) {
    return dataflow::usage_variants(family, dataflow::usage::none, 1);
}

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    // A flow graph has a node for every task, and StarPU does not bound its tasks.
    const std::uint64_t node_bytes =
        family == runtime_family::tbb ? 512 : family == runtime_family::starpu ? 1024 : 0;
    return task_memory_bytes(p, family, 1000, 256) + spawn_delay::tasks(p) * node_bytes;
}

const micro_description micro = {
    .headline = "delay_ns", .headline_title = "ns/task",
    .figures = {dataflow::over_threads("Time of a task with one access", "delay_ns", "ns for each task", 1, true),
                dataflow::over_threads("What the access adds", "overhead_ns", "ns for each task", 1, true)},
    .variants_differ = true, .by_threads = true,
};

}  // namespace

const kernel_description spawn_delay_description = {
    .name = "spawn_delay", .sizes = {.quick = "300000", .paper = "10000000", .tiny = "1000", .check = "5000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro, .dataflow = true,
};

namespace spawn_delay {

std::uint64_t tasks(const parameters& p) { return integer_size(spawn_delay_description, p, 1, 1'000'000'000); }

outcome checked(const parameters& p, const found& result) {
    const std::uint64_t count = tasks(p);
    const auto text = [](const work_done& baseline, const work_done& done, std::uint64_t value) {
        const auto part = [](const work_done& of) {
            return std::to_string(of.tasks) + " tasks, numbers " + std::to_string(of.sum);
        };
        return part(baseline) + "; " + part(done) + ", value " + std::to_string(value);
    };
    const work_done all{count, count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count};
    const std::string& usage = p.variant;
    const std::uint64_t last = usage == "none" || usage == "in" ? 0 : usage == "out" ? count - 1 : count;
    outcome told = exact_outcome(result.seconds, count, text(result.baseline, result.done, result.last_value),
                                 text(all, all, last));
    const double nanoseconds = 1e9 / static_cast<double>(count);
    told.measures = {
        {"delay_ns", measure::role::found, {result.seconds * nanoseconds}},
        {"baseline_ns", measure::role::found, {result.baseline_seconds * nanoseconds}},
        {"overhead_ns", measure::role::found, {(result.seconds - result.baseline_seconds) * nanoseconds}},
    };
    return told;
}

}  // namespace spawn_delay
}  // namespace bench
