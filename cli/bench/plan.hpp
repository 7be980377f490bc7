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
#include <optional>
#include <string>
#include <vector>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/settings.hpp>

namespace teff::cli {

struct configuration {
    std::string kind;
    std::string kernel;
    std::string size;
    std::string variant;
    std::string runtime;
    std::string compiler;
    std::optional<std::string> scheduler;
    std::optional<std::string> tracker;
    std::optional<std::string> reclaimer;
    unsigned threads = 1;

    // Not part of the name:
    std::string problem;  // the variant, where the variants are different work; else empty
    bool has_ratio = true;
    bool is_paced = false;
    std::uint64_t pace = 0;  // of delay tasks; 0 without them (pace.hpp)
    std::uint64_t memory_bytes = 0;
    double limit_seconds = 10;
    std::size_t runner_index = 0;

    // "fib quick nowait teff gcc demand, 2 threads".
    [[nodiscard]] std::string text() const;
    // Same kernel, size and kind: what may be compared.
    [[nodiscard]] bool same_problem(const configuration& other) const;
    // The same number of tasks, too: that of a micro-benchmark grows with the threads.
    [[nodiscard]] bool same_work(const configuration& other) const;
};

// A configuration that is not measured. Of a runtime that is not installed only kernel, size and runtime are known;
// the other texts are empty and threads is 0.
struct skip {
    configuration what;
    std::string reason;
    std::optional<double> lower_bound_seconds;
};

struct plan {
    std::vector<configuration> configurations;
    std::vector<skip> skipped;
};

[[nodiscard]] plan make_plan(const bench_settings& settings, const catalogue& found);

// The arguments with which the runner measures this configuration.
[[nodiscard]] std::vector<std::string> runner_arguments(const configuration& what, const bench_settings& settings);

}  // namespace teff::cli
