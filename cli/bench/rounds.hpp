// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rounds: every configuration once per round, so that all see the same state of the machine.
//
// Rounds alternate their direction: a drift within the rounds then favours nobody. Before the first, one run of each
// kernel is thrown away; it brings the clock frequency up and the programs into memory (each runner also warms its own
// threads before it measures).
//
// A configuration leaves the rounds for good when a run does not count:
//   over the limit, out of memory, refused   it becomes a skip; runs that did count are named in the reason, not kept,
//                                            because times without the slow ones would be too good
//   wrong answer, broken runner              it becomes a skip, and the whole comparison has failed
// A peer that after round one is over ten times slower than the fastest peer of its kernel and number of threads keeps
// that one run: more would take the longest and tell the least.
#pragma once

#include <cstddef>
#include <functional>

#include <cli/bench/single_run.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// What is told while it goes on; any of them may be empty.
struct progress {
    std::function<void(unsigned round, const configuration&, std::size_t done, std::size_t total)> run_starts;
    std::function<void(const skip&)> skipped;
    std::function<void(const configuration&)> keeps_one_run;
};

inline constexpr double slow_peer_factor = 10;

[[nodiscard]] measurements measure(const plan& planned, unsigned rounds, const run_function& run,
                                   const progress& progress);

}  // namespace teff::cli
