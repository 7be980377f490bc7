// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results of simulations as one self-contained page, in the style of the report of `teff bench`.
//
// From top to bottom: what was simulated on which machine with which costs, in words and as a list; for each program,
// speed-up and time over the threads with a line per scheduler, and the table; the places that make cache lines move;
// what was skipped. Every text from outside this program is escaped.
#pragma once

#include <string>
#include <vector>

#include <cli/simulate/simulated.hpp>

namespace teff::cli {

// The first paragraph.
[[nodiscard]] std::string simulation_words(const simulate_settings& settings, unsigned most_threads);

// The two plots of a program; empty without a point.
[[nodiscard]] std::string simulated_speedup_plot(const std::vector<const simulated_row*>& rows);
[[nodiscard]] std::string simulated_time_plot(const std::vector<const simulated_row*>& rows);

[[nodiscard]] std::string simulation_page(const simulate_settings& settings, const simulations& results,
                                          const std::string& command_line);

}  // namespace teff::cli
