// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The user's settings of `teff bench`: first as typed, then checked.
//
// Every value is taken as text and checked here, not in the option parser, so that each message can name the option,
// the value, what is allowed and the nearest existing name. Everything that can be checked without a runner is
// checked here, including the two output files: they must be writable before any time is spent on measuring. Kernels,
// sizes and variants are checked later against what the runners say (plan.hpp).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <teff/reclaim/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/option_values.hpp>

namespace teff::cli {

inline constexpr const char* bench_sizes[] = {"quick", "paper"};

// As typed.
struct bench_request {
    std::vector<std::string> kernels;  // KERNEL or KERNEL:SIZE
    std::string kind = "reduce";
    std::string size = "quick";
    std::string input;
    std::string cutoff;
    std::string threads;
    std::string ranks;
    std::string runtimes = "all";
    std::string compilers = "all";
    std::string variants = "all";
    std::string schedulers = teff::schedulers().front().name;
    std::string trackers;
    std::string reclaimers = reclaimer_names[0].name;
    std::string runs = "5";
    std::string limit;
    std::string json;
    std::string report;
    std::string timeline;
    std::string graph;
    bool counters = false;
    bool hardware_counters = false;
    bool rank_sum = false;
    bool wide = false;
};

// The kinds of kernels.
inline constexpr const char* kernel_kinds[] = {"reduce", "fork_join", "openmp", "dataflow", "threads", "mpi", "micro"};

// Checked.
struct bench_settings {
    std::string kind;
    std::vector<kernel_choice> kernels;  // empty: every kernel
    std::string size;
    std::filesystem::path input;
    std::vector<long> cutoffs;  // sorted; empty: no cut-off
    std::vector<unsigned> threads;
    std::vector<unsigned> ranks;  // empty unless the kind is mpi; then `threads` are the workers of each
    unsigned processors = 1;      // that this command may use
    std::vector<unsigned> thread_range;  // for kernels about the number of threads: as asked, else 1, 2, 4, ...
    std::vector<std::string> runtimes;
    std::vector<std::string> compilers;
    std::vector<std::string> variants;  // empty: every variant
    std::vector<std::string> schedulers;
    std::vector<std::string> trackers;  // empty unless the kind is dataflow or openmp
    std::vector<std::string> reclaimers;
    unsigned runs = 5;
    std::optional<double> limit_seconds;
    bool counters = false;
    bool hardware_counters = false;
    bool rank_sum = false;
    bool wide = false;
    std::filesystem::path json;
    std::filesystem::path report;
    std::filesystem::path timeline;  // a folder; empty: no timelines
    std::filesystem::path graph;     // a folder; empty: no task graphs

    // The limit of one run in seconds: as asked, else 10 for the quick sizes and 60 for all others.
    [[nodiscard]] double limit_for(const std::string& kernel_size) const;
};

// Throws usage_error. `default_threads` is used if --threads is absent.
[[nodiscard]] bench_settings check(const bench_request& request, unsigned default_threads);

}  // namespace teff::cli
