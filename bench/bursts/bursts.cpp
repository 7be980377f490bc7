// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounds of bursts and their measures; see bursts.hpp.
#include <bench/bursts/bursts.hpp>

#include <bench/harness/delay.hpp>
#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

namespace bench {
namespace {

std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::serial) return {};
    if (family == runtime_family::openmp) return {{"group", true}, {"loop", true}};
    return {{"group", true}, {"loop", true}, {"arena", true}, {"enqueue", true}};
}

constexpr size_part parts[] = {{"THREADS", 1, 256}, {"NANOSECONDS", 1, 10'000'000}, {"BURSTS", 1, 10'000'000}};
constexpr unsigned rounds = 7;

std::uint64_t memory_bytes(const parameters& p, runtime_family family) {
    return task_memory_bytes(p, family, 256 * bursts::tasks, 64);
}

const micro_description micro = {
    .headline = "of_loop", .headline_title = "of loop",
    .figures = {{.form = figure_description::shape::lines,
                 .title = "Time of short bursts, as a multiple of a plain loop's",
                 .measured = "of_loop", .measured_title = "multiple of the time of a plain loop",
                 .across = "task_ns", .across_title = "length of a task, ns", .by_variant = true},
                {.form = figure_description::shape::lines,
                 .title = "CPU time of short bursts, as a multiple of a plain loop's",
                 .measured = "cpu_of_loop",
                 .measured_title = "multiple of the CPU time of a plain loop",
                 .across = "task_ns",
                 .across_title = "length of a task, ns",
                 .by_variant = true}},
    .variants_differ = true, .paced = true,
};

double cpu_seconds() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

struct cost {
    double seconds = 0, cpu_seconds = 0;
};

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

const bursts::burst& burst_of(const bursts::face& runtime, const std::string& variant) {
    if (variant == "loop") return runtime.loop;
    if (variant == "arena") return runtime.arena;
    if (variant == "enqueue") return runtime.enqueue;
    return runtime.group;
}

// Calls the task from a plain loop.
void plain_burst(const bursts::task& run) {
    for (unsigned index = 0; index < bursts::tasks; ++index) run();
}

}  // namespace

const kernel_description bursts_description = {
    .name = "bursts",
    .sizes = {.quick = "1x200x10000,1x1000x2000,1x10000x200,2x200x10000,2x1000x2000,2x10000x200,"
                       "4x200x5000,4x1000x1000,4x10000x100,16x200x2000,16x1000x400,16x10000x40",
              .paper = "1x200x100000,1x1000x20000,1x10000x2000,2x200x100000,2x1000x20000,2x10000x2000,"
                       "4x200x50000,4x1000x10000,4x10000x1000,16x200x20000,16x1000x4000,16x10000x400",
              .tiny = "1x100x100", .check = "2x200x50"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace bursts {

bool has_arena(const parameters& p) { return p.variant == "arena" || p.variant == "enqueue"; }

outcome measured(const parameters& p, const face& runtime) {
    const auto numbers = size_numbers(bursts_description, p, parts);
    const std::uint64_t threads = numbers[0], task_ns = numbers[1], count = numbers[2];
    const std::uint64_t pace = p.pace != 0 ? p.pace : measured_pace();
    const std::uint64_t iterations = delay_iterations(pace, task_ns);
    const burst& shared = burst_of(runtime, p.variant);

    std::atomic<std::uint64_t> done{0};
    std::vector<double> of_loop, cpu_of_loop;
    double seconds = 0;
    cost began, plain;
    unsigned phase = 0;
    // Between two phases one of the threads reads the clocks. Even phases are plain.
    std::barrier next(static_cast<std::ptrdiff_t>(threads), [&]() noexcept {
        const cost now{std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
                       cpu_seconds()};
        const cost last{now.seconds - began.seconds, now.cpu_seconds - began.cpu_seconds};
        if (phase != 0 && phase % 2 == 1) plain = last;
        if (phase != 0 && phase % 2 == 0) {
            seconds += last.seconds;
            of_loop.push_back(last.seconds / plain.seconds);
            cpu_of_loop.push_back(last.cpu_seconds / plain.cpu_seconds);
        }
        ++phase;
        began = now;
    });
    const auto application_thread = [&] {
        runtime.on_thread([&] {
            std::atomic<std::uint64_t> own{0};
            const task run = [iterations] { delay(iterations); };
            const task counted = [&run, &own] {
                run();
                own.fetch_add(1, std::memory_order_relaxed);
            };
            shared(counted);  // starts what the runtime needs; not measured, and not counted below
            own = 0;
            for (unsigned round = 0; round < rounds; ++round) {
                next.arrive_and_wait();
                for (std::uint64_t index = 0; index < count; ++index) plain_burst(counted);
                next.arrive_and_wait();
                for (std::uint64_t index = 0; index < count; ++index) shared(counted);
            }
            next.arrive_and_wait();
            done += own;
        });
    };
    std::vector<std::thread> all;
    for (std::uint64_t index = 0; index < threads; ++index) all.emplace_back(application_thread);
    for (std::thread& each : all) each.join();

    const std::uint64_t expected = threads * rounds * 2 * count * tasks;
    outcome result = exact_outcome(seconds, done, std::to_string(done), std::to_string(expected));
    result.measures.push_back({"application_threads", measure::role::given, {static_cast<double>(threads)}});
    result.measures.push_back({"task_ns", measure::role::given, {static_cast<double>(task_ns)}});
    result.measures.push_back({"of_loop", measure::role::found, {median(of_loop)}});
    result.measures.push_back({"cpu_of_loop", measure::role::found, {median(cpu_of_loop)}});
    return result;
}

}  // namespace bursts
}  // namespace bench
