// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of `teff bench`, as its JSON, tables and pages show them: rows of verified runs, and what was
// skipped. The JSON is written here.
//
// The files of this folder turn these values into text and pictures. They know nothing of how the runs were made
// (cli/bench/).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <cli/report/graph/task_graph.hpp>
#include <cli/report/presentation.hpp>
#include <cli/report/statistics.hpp>
#include <cli/report/trace/timeline.hpp>

namespace teff::cli {

// The configuration of a run. A field that does not apply (the scheduler of a peer) is empty, and null in the JSON.
struct configuration {
    std::string kind;
    std::string kernel;
    std::string size;
    std::optional<long> cutoff;
    std::string variant;
    std::string runtime;
    std::string compiler;
    std::optional<std::string> scheduler;
    std::optional<std::string> tracker;
    std::optional<std::string> reclaimer;
    std::optional<unsigned> ranks;  // kind mpi: processes; `threads` are the workers of each
    unsigned threads = 1;

    // Not part of text():
    std::string problem;  // the variant, if the kernel's variants do different work; else empty
    bool has_ratio = true;
    bool has_headline = false;  // its rows have measures
    std::string compared;       // the measure whose ratios are formed; empty: the time
    unsigned workers = 0;   // with ranks: of all ranks together, at most one per processor
    bool in_sweep = false;  // one of several cut-offs, shown together as a line over the cut-off

    // "fib quick nowait teff gcc demand, 2 threads".
    [[nodiscard]] std::string text() const;
    // "30", or "30 cut-off 8".
    [[nodiscard]] std::string size_text() const;
    // The same with the variant, if the kernel's variants do different work: "2x1000 in".
    [[nodiscard]] std::string problem_text() const;
    // The number of threads by which it is compared.
    [[nodiscard]] unsigned compared_threads() const { return workers != 0 ? workers : threads; }
    // "4 ranks, 2 threads", or without ranks.
    [[nodiscard]] std::string threads_text() const;
    // Whether its rows have measures (presentation.hpp), so that the table and the pictures show these.
    [[nodiscard]] bool has_measures() const {
        return has_headline || kind == "micro" || kind == "dataflow" || kind == "threads";
    }
    // Whether its runtime is an opponent: as below, and in kind threads also the threads of the system.
    [[nodiscard]] bool is_peer() const;
    // The same kind, kernel, size, cut-off and, if variants do different work, variant: rows that may be compared.
    [[nodiscard]] bool same_problem(const configuration& other) const;
    // Also the same number of tasks: in a micro-benchmark, and in kind threads, it may grow with the threads, so they
    // must be equal, too.
    [[nodiscard]] bool same_work(const configuration& other) const;
};

// Whether a runtime is an opponent: another task runtime, neither Teff nor a version without one.
[[nodiscard]] bool is_peer(const std::string& runtime);

// Whether a runtime is Teff: by its own interface, or as an OpenMP runtime.
[[nodiscard]] bool is_teff(const std::string& runtime);

// Where the times of a row are further apart than this part of their median, the page marks the row as noisy.
inline constexpr double noisy_spread = 0.1;

// A row: a configuration all of whose runs were verified.
struct measurement {
    configuration what;
    std::vector<timed_run> runs;  // by round, at least one
    std::uint64_t tasks = 0;
    nlohmann::json counters;
    nlohmann::json given;               // measures of a micro-benchmark (presentation.hpp), else null
    std::vector<nlohmann::json> found;  // one entry per run
    std::optional<timeline> seen;       // of one more run, which does not count
    std::string timeline_file;          // where that is, empty if there is none
    std::optional<drawn_task_graph> graph;  // of another one
    std::string graph_file;

    [[nodiscard]] double median_seconds() const { return median(seconds_of(runs)); }
    // The values of which ratios are formed, by round: the times, or the measure that is compared. A value that is not
    // above zero is left out: the difference that it measures was lost in noise.
    [[nodiscard]] std::vector<timed_run> compared_runs() const;
    // How far the times of the runs are apart, as a part of their median.
    [[nodiscard]] double spread() const;
    [[nodiscard]] bool is_noisy() const { return spread() > noisy_spread; }
};

// A configuration that was not measured. For a runtime that is not installed only kind, kernel, size and runtime are
// known; the other texts are empty, and `threads` is 0.
struct skip {
    configuration what;
    std::string reason;
    std::optional<double> lower_bound_seconds;
};

// Whether the times of two rows, by their numbers, differ.
struct tested_pair {
    std::size_t first;
    std::size_t second;
    rank_sum found;
};

struct measurements {
    std::vector<measurement> rows;
    std::vector<skip> skipped;
    bool failed = false;  // there was a wrong answer or a broken runner
    bool partial = false;  // interrupted: rows have fewer runs than was asked for, and some have none and are missing
    std::vector<tested_pair> rank_sums = {};  // empty unless they were asked for; no part has them

    // The rows that have measures, or those that have none, with everything that was skipped. Kind openmp has both;
    // they are shown in tables and pictures of their own, and never compared with each other.
    [[nodiscard]] measurements part(bool with_measures) const;
};

// The results as JSON: {"partial": false, "machine": {...}, "rows": [...], "skipped": [...]}.
//
// Results are partial if the measurement was interrupted: rows may have fewer runs, or be missing.
// Times are in seconds, as measured and by round. A row contains verified runs only. A skipped configuration has the
// same keys, with null for what is unknown, and also `reason` and `lower_bound_seconds`. A field that does not apply
// (such as the scheduler outside Teff) is null, never missing: a reader may use every key of every element. Rows with
// counters also have the key `counters`, and those of another run with a record `timeline` or `graph`.
[[nodiscard]] nlohmann::ordered_json results_json(nlohmann::ordered_json machine, const measurements& results);

// The text of a JSON value; with an indent each element has a line of its own. Any text may be in it.
[[nodiscard]] std::string json_text(const nlohmann::ordered_json& value, int indent = -1);

}  // namespace teff::cli
