// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of wake and their measures; see wake.hpp.
#include <bench/wake/wake.hpp>

#include <bench/harness/figure.hpp>
#include <bench/harness/size.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace bench {
namespace {

std::vector<variant_description> variants(runtime_family family) {
    if (family == runtime_family::serial) return {};
    constexpr unsigned least_threads = 2;
    return {{"loop", true, least_threads}};
}

constexpr size_part parts[] = {{"LOOPS", 1, 1'000'000}, {"IDLE_US", 0, 10'000'000}};

std::uint64_t memory_bytes(const parameters& p, runtime_family family) { return task_memory_bytes(p, family, 0, 0); }

const micro_description micro = {
    .headline = "wake_us", .headline_title = "us to wake",
    .figures = {{.form = figure_description::shape::lines, .title = "Time until an idle runtime helps with a loop",
                 .measured = "wake_us", .measured_title = "microseconds, median",
                 .across = "threads", .across_title = "threads", .least = 1}},
};

using clock = std::chrono::steady_clock;

double microseconds_since(clock::time_point start) {
    return std::chrono::duration<double, std::micro>(clock::now() - start).count();
}

// Runs one loop. Returns the microseconds until another thread ran an iteration, or the loop's whole time if none
// did.
double loop_after_idleness(const std::function<void(const wake::iteration&)>& loop,
                           std::chrono::microseconds idle, std::atomic<std::uint64_t>& iterations_done,
                           double& seconds) {
    constexpr double iteration_us = 10;
    for (const clock::time_point before = clock::now(); clock::now() - before < idle;) {}
    const std::thread::id caller = std::this_thread::get_id();
    std::atomic<double> came{0};
    const clock::time_point start = clock::now();
    loop([&] {
        const clock::time_point begin = clock::now();
        if (std::this_thread::get_id() != caller) {
            double nobody = 0;
            came.compare_exchange_strong(nobody, microseconds_since(start));
        }
        ++iterations_done;
        while (microseconds_since(begin) < iteration_us) {}
    });
    const double whole = microseconds_since(start);
    seconds += whole * 1e-6;
    return came != 0 ? came.load() : whole;
}

}  // namespace

const kernel_description wake_description = {
    .name = "wake", .sizes = {.quick = "100x5000", .paper = "1000x5000", .tiny = "1x100", .check = "3x1000"},
    .variants = variants, .memory_bytes = memory_bytes, .micro = &micro,
};

namespace wake {

outcome measured(const parameters& p, const std::function<void(const iteration&)>& loop) {
    const auto numbers = size_numbers(wake_description, p, parts);
    const std::uint64_t loops = numbers[0];
    const std::chrono::microseconds idle(numbers[1]);
    std::atomic<std::uint64_t> done{0};
    double seconds = 0;
    std::vector<double> times;
    while (times.size() < loops) times.push_back(loop_after_idleness(loop, idle, done, seconds));
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const std::uint64_t expected = loops * iterations;
    outcome result = exact_outcome(seconds, done, std::to_string(done), std::to_string(expected));
    result.measures.push_back({"wake_us", measure::role::found, {*middle}});
    return result;
}

}  // namespace wake
}  // namespace bench
