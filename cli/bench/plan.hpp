// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which configurations are measured: kernel x size x cut-off x variant x runtime x compiler x scheduler x tracker x
// reclaimer x ranks x threads.
//
// Configurations differ only where it makes a difference: serial has one thread, only Teff has schedulers, only a
// scheduler that frees shared nodes has reclaimers, and only tasks with accesses have trackers. A field that does not
// apply is empty, and null in the JSON. In kind mpi a single process has as many threads as all ranks together have
// workers, but no more than there are processors.
//
// Configurations of one kernel, size and cut-off are adjacent, so that a round measures them close in time; only they
// are compared. `quick` and `paper` of a micro-benchmark, and of a kernel of kinds openmp and mpi, stand for several
// sizes, with a row for each; in kind openmp a size may end in its own cut-off, as in 38@20.
//
// The user's kernels, variants and sizes are checked here against what the runners say. To check a size, a runner is
// asked about it; its answer also gives the memory that the run will need. A wrong name or size is a usage_error
// before anything is measured.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// A configuration, and what it takes to run it.
struct planned_run : configuration {
    bool is_paced = false;
    std::uint64_t pace = 0;  // of delay tasks; 0 if the kernel has none
    std::uint64_t memory_bytes = 0;
    double limit_seconds = 10;
    std::size_t runner_index = 0;
};

struct plan {
    std::vector<planned_run> runs;
    std::vector<skip> skipped;
};

[[nodiscard]] plan make_plan(const bench_settings& settings, const catalogue& found);

// The arguments with which the runner measures it.
[[nodiscard]] std::vector<std::string> runner_arguments(const planned_run& what, const bench_settings& settings);

// If some configuration needs the pace of the delay tasks (the number of iterations of their loop that take a
// microsecond on this machine): asks a runner for it and writes it into all configurations that need it. Returns
// nothing if none does. Throws std::runtime_error if the runner does not answer. One runner measures the pace once,
// before the rounds: if each run measured it for itself, two runtimes would disagree about how long 100 ns are. The
// pace is recorded among the facts about the machine.
[[nodiscard]] std::optional<std::uint64_t> set_pace(plan& planned, const catalogue& found);

}  // namespace teff::cli
