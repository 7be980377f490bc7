// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the runtimes' versions of the task program share; see micro.hpp.
#include <bench/micro/micro.hpp>

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <new>
#include <string>
#include <string_view>

namespace bench {

std::uint64_t task_program::tasks() const {
    std::uint64_t sum = 0;
    for (const task_source& each : sources) sum += each.count;
    return sum;
}

task_program task_program::equal_sources(std::uint64_t sources, std::uint64_t tasks_each, const task_load& load) {
    task_program made;
    made.load = load;
    for (std::uint64_t index = 0; index < sources; ++index) made.sources.push_back({index * tasks_each, tasks_each});
    return made;
}

void prepare_capacity(std::uint64_t capacity) {
    if (capacity == 0) return;
    constexpr std::uint64_t least = 4;   // the smallest value that all of these options accept
    const auto set = [&](std::string_view option) {
        std::string variable = "TEFF_" + std::string(option);
        for (char& letter : variable) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
        if (setenv(variable.c_str(), std::to_string(std::max(capacity, least)).c_str(), 1) != 0) throw std::bad_alloc();
    };
    set("max_queued");
    for (const teff::scheduler_traits& each : teff::schedulers())
        if (each.bound != nullptr) set(each.bound);
}

std::vector<double> tasks_per_worker::tasks_by_worker(unsigned threads) {
    std::vector<double> tasks;
    for (unsigned index = 0; index < slots; ++index)
        if (index < threads || slots_[index].tasks != 0) tasks.push_back(static_cast<double>(slots_[index].tasks));
    return tasks;
}

outcome program_result::checked(const task_program& program) const {
    const auto text = [](std::uint64_t tasks, std::uint64_t sum) {
        return std::to_string(tasks) + " tasks, numbers " + std::to_string(sum);
    };
    const std::uint64_t count = program.tasks();
    // count * (count - 1) / 2 without overflow of the product: one of the two factors is even and is halved first.
    const std::uint64_t sum = count % 2 == 0 ? count / 2 * (count - 1) : (count - 1) / 2 * count;
    return exact_outcome(seconds, done.tasks, text(done.tasks, done.sum), text(count, sum));
}

std::vector<measure> worker_measures(const program_result& found, unsigned threads) {
    const double ideal = static_cast<double>(found.done.tasks) / threads;
    std::vector<double> deltas;
    double sum = 0;
    for (const double tasks : found.tasks_by_worker) {
        deltas.push_back(std::fabs(tasks - ideal) / ideal);
        sum += deltas.back();
    }
    return {{"tasks_by_worker", measure::role::by_worker, found.tasks_by_worker},
            {"delta", measure::role::by_worker, deltas},
            {"delta_mean", measure::role::found, {sum / static_cast<double>(deltas.size())}}};
}

std::vector<variant_description> program_variants(runtime_family family, bool with_serial) {
    if (family != runtime_family::serial) return {{"nowait", true}};
    if (with_serial) return {{"loop", true}};
    return {};
}

std::uint64_t program_memory_bytes(runtime_family family, const task_program& program) {
    constexpr std::uint64_t runtime_bytes = std::uint64_t{64} << 20;
    // All tasks may be queued. The OpenMP libraries bound their queues; in the other runtimes a task takes up to a
    // few cache lines.
    const std::uint64_t task_bytes = family == runtime_family::tbb ? 256 : family == runtime_family::teff ? 128 : 0;
    return runtime_bytes + program.tasks() * task_bytes;
}

}  // namespace bench
