// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of simulations as text: a table for each program, and the places that make cache lines move.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <simulator/machine.hpp>

#include <cli/simulate/simulated.hpp>

namespace teff::cli {

// "fib reduce, size 20 (n): 21891 tasks", with the table of all rows below. `width`: columns are left out until the
// table fits.
[[nodiscard]] std::string simulation_table(const std::vector<const simulated_row*>& rows,
                                           std::optional<unsigned> width);

// The places of the rows with the most threads that have made most lines move; empty if none was asked for.
[[nodiscard]] std::string line_table(const std::vector<const simulated_row*>& rows, std::optional<unsigned> width);

// A sentence about the simulated machine, and whether it is within the range that was compared with real machines.
[[nodiscard]] std::string simulated_sentence(const simulator::machine& on, unsigned most_threads,
                                             const simulate_settings& settings);
[[nodiscard]] bool is_within_comparison(const simulator::machine& on, unsigned most_threads);

[[nodiscard]] std::string skipped_list(const std::vector<skipped_simulation>& skipped);

}  // namespace teff::cli
