// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The section of the report page that sets Teff's OpenMP runtime, or its fibers, beside the others
// (named_comparison.hpp).
#pragma once

#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// The rows all have measures, or none has. Empty if there is no row of Teff.
[[nodiscard]] std::string named_section(const measurements& results, const std::vector<comparison>& comparisons);

}  // namespace teff::cli
