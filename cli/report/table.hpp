// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables on standard output: all rows; Teff beside the best peer; which rows differ; what was skipped.
//
// Plain text in columns, numbers aligned to the right, an empty line between kernels, no colour: the tables are read
// on terminals, in logs and in mails. A missing value is a dash. All functions here only turn values into text. A table
// keeps to a width, if one is given, by leaving columns out (text_table.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

using table_width = std::optional<unsigned>;

[[nodiscard]] std::string main_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                                     table_width width = {});

// The same for micro-benchmarks: a table per kernel, with the headline number that its presentation names.
[[nodiscard]] std::string micro_tables(const std::vector<measurement>& rows,
                                       const std::vector<comparison>& comparisons, const presentations& shown,
                                       table_width width = {});

// One line per kernel, number of threads, scheduler and compiler of Teff; then the means over the kernels if there are
// several kernels. Empty if there is no row of Teff.
[[nodiscard]] std::string peer_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                                     table_width width = {});

// The same for the kinds openmp and threads: Teff beside each of certain other runtimes that ran the same program
// (named_comparison.hpp). Empty if it ran nothing.
[[nodiscard]] std::string named_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                                      table_width width = {});

// The times of a sweep: one line per kernel, size, variant, runtime and number of threads, and a column per cut-off.
// Empty if there was no sweep.
[[nodiscard]] std::string sweep_table(const std::vector<measurement>& rows, table_width width = {});

// One line for each pair of rows that a rank sum test was made of; empty if there is none.
[[nodiscard]] std::string rank_sum_table(const measurements& results, table_width width = {});

// One line for each reason; a missing runtime is named once, not once per kernel.
[[nodiscard]] std::string skip_list(const std::vector<skip>& skipped);

// The counters of the system, from the last run of each row that has counters.
[[nodiscard]] std::string counter_list(const std::vector<measurement>& rows);

// The library's counters for each worker, from the last run of each row of Teff that has counters; empty if none has.
[[nodiscard]] std::string worker_table(const std::vector<measurement>& rows, table_width width = {});

// The processor's counters, from the last run of each row that has some (hardware_counts.hpp); empty if none has.
[[nodiscard]] std::string hardware_table(const std::vector<measurement>& rows, table_width width = {});

}  // namespace teff::cli
