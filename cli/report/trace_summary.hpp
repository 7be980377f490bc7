// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trace says, as text for a terminal: how many threads have run tasks over time, what the threads' time was
// spent on, which functions took most of it, the longest runs of tasks, and how searches went.
#pragma once

#include <optional>
#include <string>

#include <cli/report/trace_file.hpp>

namespace teff::cli {

// No line is wider than `width`; without one, tables have all columns and names are whole.
[[nodiscard]] std::string trace_summary(const recorded_trace& seen, std::optional<unsigned> width);

}  // namespace teff::cli
