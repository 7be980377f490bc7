// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounds of chain and their measures; see chain.hpp.
#include <bench/chain/chain.hpp>

#include <bench/harness/delay.hpp>
#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

namespace bench {
namespace {

std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::serial) return {};
    if (family == runtime_family::openmp) return {{"task", true}};
    return {{"task", true}, {"fork", true}};
}

constexpr size_part parts[] = {{"NANOSECONDS", 1, 1'000'000'000}, {"TASKS", 1, 1'000'000'000}};
constexpr unsigned rounds = 7;

std::uint64_t memory_bytes(const parameters& p, runtime_family family) { return task_memory_bytes(p, family, 1, 64); }

const micro_description micro = {
    .headline = "extra_ns", .headline_title = "extra ns",
    .figures = {{.form = figure_description::shape::lines,
                 .title = "Time of a chain of tasks, beyond that of a plain loop",
                 .measured = "extra_ns", .measured_title = "ns per task",
                 .across = "threads", .across_title = "threads", .least = 1, .by_variant = true}},
    .variants_differ = true, .paced = true,
};

double seconds_of(const std::function<void()>& body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

const kernel_description chain_description = {
    .name = "chain",
    .sizes = {.quick = "100x100000,1000x20000", .paper = "100x1000000,1000x200000,10000x20000", .tiny = "100x100",
              .check = "100x1000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace chain {

outcome measured(const parameters& p, const std::function<void(std::uint64_t, const step&)>& tasks) {
    const auto numbers = size_numbers(chain_description, p, parts);
    const std::uint64_t task_ns = numbers[0], count = numbers[1];
    const std::uint64_t iterations = delay_iterations(p.pace != 0 ? p.pace : measured_pace(), task_ns);
    std::uint64_t done = 0;
    const step counted = [iterations, &done] {
        delay(iterations);
        ++done;
    };
    tasks(count, counted);  // starts what the runtime needs; not measured
    std::vector<double> extra_ns;
    double seconds = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        const double plain = seconds_of([&] {
            for (std::uint64_t index = 0; index < count; ++index) counted();
        });
        const double as_tasks = seconds_of([&] { tasks(count, counted); });
        seconds += as_tasks;
        extra_ns.push_back((as_tasks - plain) * 1e9 / static_cast<double>(count));
    }
    const auto middle = extra_ns.begin() + rounds / 2;
    std::nth_element(extra_ns.begin(), middle, extra_ns.end());

    const std::uint64_t expected = (1 + 2 * rounds) * count;
    outcome result = exact_outcome(seconds, rounds * count, std::to_string(done), std::to_string(expected));
    result.measures.push_back({"task_ns", measure::role::given, {static_cast<double>(task_ns)}});
    result.measures.push_back({"extra_ns", measure::role::found, {*middle}});
    return result;
}

}  // namespace chain
}  // namespace bench
