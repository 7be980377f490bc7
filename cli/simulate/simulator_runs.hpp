// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the simulations, several at once, each in a process of its own.
//
// The result of a simulation does not depend on what runs beside it: its time is virtual. Only the limit is in real
// time. The simulator ends with status 0 and a line of JSON, or with another status and a message that says what is
// wrong: with the result, or with the program (a deadlock).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <cli/bench/child_process.hpp>
#include <cli/simulate/simulated.hpp>

namespace teff::cli {

// Told after each simulation: how many are done, of how many, and which this was. `skipped`: why it has no row; null if
// it has one.
using simulation_told =
    std::function<void(std::size_t done, std::size_t total, const simulation& what, const std::string* skipped)>;

// Rows are in the order of the plan.
[[nodiscard]] simulations run_simulations(const std::vector<simulation>& planned, const simulate_settings& settings,
                                          const simulator_program& simulator, const simulation_told& tell);

// Adds what the child's end means: a row, or one that was skipped, or that the simulations were interrupted.
void add_simulation(simulations& to, const simulation& what, const child_result& found, double limit_seconds);

}  // namespace teff::cli
