// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which configurations are measured: kernel x size x variant x runtime x compiler x scheduler x reclaimer x threads.
//
// Only what differs is a configuration of its own: serial has one thread, only Teff has schedulers, and only a
// scheduler that frees shared nodes has reclaimers. Where something does not apply the field is empty, and null in the
// JSON. Configurations of one kernel and size stand together, so that a round measures them close in time. `quick` and
// `paper` of a micro-benchmark stand for several sizes, a row for each.
//
// The user's kernels, variants and sizes are checked here against what the runners say, by asking a runner about the
// size; this also yields the memory that the run will need. A wrong name or size is a usage_error before anything is
// measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// A configuration, and what it takes to run it.
struct planned_run : configuration {
    bool is_paced = false;
    std::uint64_t pace = 0;  // of delay tasks; 0 without them (pace.hpp)
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

}  // namespace teff::cli
