// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The processor's counters of `teff bench --hardware-counters`, as the table and the page show them: counts, and the
// ratios of Blaze-Tasks, tables 4 to 9 (cycles per instruction, cycles without execution).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/results.hpp>

namespace teff::cli {

// Columns that have a value in at least one row. All other members are as long as `titles`, or as `rows`.
struct hardware_counts {
    std::vector<std::string> titles;
    std::vector<const measurement*> rows;         // the rows that have such counters, from the last run of each
    std::vector<std::vector<std::string>> cells;  // by row; "-" where there is no value
    std::vector<std::vector<std::optional<double>>> values;  // the same as numbers

    [[nodiscard]] bool empty() const { return titles.empty(); }
};

// Refers to the rows.
[[nodiscard]] hardware_counts hardware_counts_of(const std::vector<measurement>& rows);

// Why which counters are missing, one sentence for each reason; empty if none is missing.
[[nodiscard]] std::vector<std::string> missing_hardware_counts(const std::vector<measurement>& rows);

}  // namespace teff::cli
