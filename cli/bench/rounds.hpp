// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs every configuration once per round, so that all of them see the same state of the machine.
//
// Rounds alternate in direction, so a drift within the rounds favours no configuration. Before the first round, one
// run of each kernel is discarded: it raises the clock frequency and brings the programs into memory (each runner
// also warms up its own threads before it measures).
//
// A configuration leaves the rounds for good if one of its runs does not count:
//   over the limit, out of memory, refused   becomes a skip; runs that did count are mentioned in the reason but not
//                                            kept, because times without the slow ones would look too good
//   wrong answer, broken runner              becomes a skip, and the whole comparison has failed
// An interrupted run ends the measurement; what was measured before it is the result.
//
// A peer that after round one is over ten times slower than the fastest peer of its kernel and number of threads keeps
// that one run: more runs of it would take the most time and give the least information.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <cli/bench/single_run.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

struct started_run {
    unsigned round;
    const configuration& what;
    std::size_t done;  // runs so far
    std::size_t total;
    std::optional<double> seconds_left;  // a guess
};

// Callbacks that report progress during the measurement; any of them may be empty.
struct progress {
    std::function<void(const configuration&)> warms_up;
    std::function<void(const started_run&)> run_starts;
    std::function<void(const skip&)> skipped;
    std::function<void(const configuration&)> keeps_one_run;
};

inline constexpr double slow_peer_factor = 10;

[[nodiscard]] measurements measure(const plan& planned, unsigned rounds, const run_function& run,
                                   const progress& progress);

// The remaining runs of one configuration.
struct remaining_runs {
    unsigned count = 0;
    std::optional<double> last_seconds = {};  // of the whole process; empty before the first run
};

// How long the remaining runs will take, judging by those that have been made: a configuration takes as long as in its
// last run, and one that has not run yet takes the mean of the others. Empty if nothing has run yet.
[[nodiscard]] std::optional<double> seconds_left(const std::vector<remaining_runs>& all);

// "40 s", "3 min", "2 h 10 min": no finer than such a guess is.
[[nodiscard]] std::string rough_duration(double seconds);

}  // namespace teff::cli
