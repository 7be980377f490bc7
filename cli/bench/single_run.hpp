// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of one configuration: the child process, and what its answer means.
//
// The runner prints one line of JSON and ends with 0 when its answer is right, 3 when it is wrong, 2 when it refuses
// what it was asked and 4 when memory ran out. Everything else (a signal, another status, a line that cannot be read)
// is a broken runner. A run counts only with status 0 and "verified": true together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/plan.hpp>

namespace teff::cli {

enum class run_outcome {
    verified,
    wrong_answer,   // ends the whole command with status 1
    broken,         // so does this
    over_limit,     // a skip with a lower bound
    out_of_memory,  // a skip
    refused,        // a skip
};

struct run_result {
    run_outcome outcome = run_outcome::broken;
    double seconds = 0;
    std::uint64_t tasks = 0;
    nlohmann::json counters;  // null unless asked for and given
    nlohmann::json given;     // measures of a micro-benchmark (presentation.hpp); else null
    nlohmann::json found;
    std::string reason;       // why it does not count
};

// How a configuration is run once; tests put something else in its place.
using run_function = std::function<run_result(const planned_run&)>;

// Runs the configuration with its runner from `found`.
[[nodiscard]] run_result run_once(const planned_run& what, const bench_settings& settings, const catalogue& found);

// What the end of a runner means.
[[nodiscard]] run_result interpret(const child_result& child, double limit_seconds);

}  // namespace teff::cli
