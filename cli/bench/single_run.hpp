// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of one configuration: starts the child process and interprets its answer.
//
// The runner prints one line of JSON. Its exit status is 0 if its answer is right, 3 if the answer is wrong, 2 if it
// refuses the request, and 4 if memory ran out. Everything else (a signal, another status, a line that cannot be
// parsed) is a broken runner. A run counts only with both status 0 and "verified": true.
//
// A run on OpenMP also tells which OpenMP libraries were in its process. If these are not exactly the wanted one, its
// time says nothing about the runtime whose name it has: it is broken, too.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <teff/machine.hpp>

#include <cli/bench/catalogue.hpp>
#include <cli/bench/plan.hpp>

namespace teff::cli {

enum class run_outcome {
    verified,
    wrong_answer,   // makes the command end with status 1
    broken,         // the same
    over_limit,     // a skip with a lower bound
    out_of_memory,  // a skip
    refused,        // a skip
    interrupted,    // nothing more is run
};

struct run_result {
    run_outcome outcome = run_outcome::broken;
    double seconds = 0;
    std::uint64_t tasks = 0;
    nlohmann::json counters;  // null unless asked for and reported
    nlohmann::json given;     // measures of a micro-benchmark (presentation.hpp); else null
    nlohmann::json found;
    std::string reason;       // why the run does not count
};

// Runs a configuration once; tests substitute their own function.
using run_function = std::function<run_result(const planned_run&)>;

// Runs the configuration with its runner from `found`.
// `environment`: variables for this run alone.
[[nodiscard]] run_result run_once(const planned_run& what, const bench_settings& settings, const catalogue& found,
                                  const std::vector<std::pair<std::string, std::string>>& environment = {});

// The result of a run, from the way in which its runner ended. `on`: the runner, whose library is checked.
[[nodiscard]] run_result interpret(const child_result& child, double limit_seconds, const runner& on);

// Says what is wrong with the OpenMP libraries that a run of that runner had; empty if nothing is wrong.
[[nodiscard]] std::string wrong_library(const std::vector<std::string>& libraries, const runner& on);

// Why a run that needs so many bytes must not start, or nothing. A benchmark that does not fit into memory is refused
// instead of run: swapping spoils every other number, and the kernel's out-of-memory killer may choose another process.
[[nodiscard]] std::optional<std::string> refusal(std::uint64_t needed_bytes, const std::optional<free_memory>& free);

}  // namespace teff::cli
