// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranks without work: a single task computes for a given time, and all other ranks ask for work, and sleep. What they
// take meanwhile is in the columns of all programs (rank_usage.hpp); it should be below 5 % of a processor.
#include <bench/mpi/program.hpp>

#include <bench/harness/size.hpp>

#include <chrono>
#include <cstdint>

namespace bench::mpi {
namespace {

constexpr std::uint64_t longest_ms = 60'000;

struct long_task {
    template <class Pool> std::uint64_t operator()(Pool&, std::uint64_t ms) const {
        const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(ms);
        while (std::chrono::steady_clock::now() < end) {}
        return 1;
    }
};

std::uint64_t memory_bytes(const parameters&, runtime_family) { return std::uint64_t{16} << 20; }

const kernel_description idle_description = {.name = "idle",
                                             .sizes = {.quick = "500", .paper = "10000", .tiny = "1", .check = "10"},
                                             .memory_bytes = memory_bytes,
                                             .mpi = kind_sizes{"500", "10000"}};

outcome run(const run_settings& asked) {
    const std::uint64_t ms = integer_size(idle_description, asked.run, 1, longest_ms);
    std::uint64_t tasks = 0;
    const double seconds = time_seconds([&] { tasks = reduced(asked, long_task{}, ms); });
    return exact_outcome(seconds, tasks, std::to_string(tasks) + " task", "1 task");
}

}  // namespace

// Its time is given, so there are no ratios.
const program idle_program = {teff_runtime, idle_description, {{"nowait", false}}, run};

}  // namespace bench::mpi
