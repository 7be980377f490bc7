// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of simulations as text and as one self-contained page, in the style of the report of `teff bench`.
//
// As text: a table for each program, and the places that make cache lines move. The page has, from top to bottom: what
// was simulated on which machine with which costs, in words and as a list; for each program, speed-up and time over the
// threads with a line per scheduler, and the table; the places that make cache lines move; what was skipped. Every text
// from outside this program is escaped.
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

// The first paragraph.
[[nodiscard]] std::string simulation_words(const simulate_settings& settings, unsigned most_threads);

// The two plots of a program; empty without a point.
[[nodiscard]] std::string simulated_speedup_plot(const std::vector<const simulated_row*>& rows);
[[nodiscard]] std::string simulated_time_plot(const std::vector<const simulated_row*>& rows);

[[nodiscard]] std::string simulation_page(const simulate_settings& settings, const simulations& results,
                                          const std::string& command_line);

}  // namespace teff::cli
