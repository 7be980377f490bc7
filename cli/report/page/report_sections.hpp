// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sections of the report page that only some measurements have. Each is an empty text where it has nothing to show.
#pragma once

#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// Sets Teff's OpenMP runtime, or its fibers, beside the others (named_comparison.hpp). The rows all have measures, or
// none has.
[[nodiscard]] std::string named_section(const measurements& results, const std::vector<comparison>& comparisons);

// The runs that were recorded for `--timeline` and `--graph`.
[[nodiscard]] std::string timeline_section(const measurements& results);
[[nodiscard]] std::string task_graph_section(const measurements& results);

// The processor's counters.
[[nodiscard]] std::string hardware_section(const measurements& results);

}  // namespace teff::cli
