// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The summary of a trace as text for a terminal: how many threads have run tasks over time, how the threads spent their
// time, which functions took most of it, the longest runs of tasks, and the results of searches.
#pragma once

#include <optional>
#include <string>

#include <cli/report/trace_file.hpp>

namespace teff::cli {

// No line is wider than `width`; without one, tables have all columns and names are whole.
[[nodiscard]] std::string trace_summary(const recorded_trace& seen, std::optional<unsigned> width);

}  // namespace teff::cli
