// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables on standard output: all rows; Teff beside the best peer; what was skipped.
//
// Plain text in columns, numbers to the right, an empty line between kernels, no colour: it is read on terminals, in
// logs and in mails alike. A missing value is a dash. Everything here only turns values into text.
#pragma once

#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

[[nodiscard]] std::string main_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons);

// The same for micro-benchmarks: a table per kernel, with the number that it is about, as its presentation names it.
[[nodiscard]] std::string micro_tables(const std::vector<measurement>& rows,
                                       const std::vector<comparison>& comparisons, const presentations& shown);

// One line per kernel, number of threads, scheduler and compiler of Teff, then the means of the kernels where there are
// several; empty when there is no row of Teff.
[[nodiscard]] std::string peer_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons);

// A runtime that is missing is named once, not once per kernel.
[[nodiscard]] std::string skip_list(const std::vector<skip>& skipped);

// What the system counted in the last run of each row that has counters.
[[nodiscard]] std::string counter_list(const std::vector<measurement>& rows);

// What the library counted for each worker in the last run of each row of Teff with counters; empty if there is none.
[[nodiscard]] std::string worker_table(const std::vector<measurement>& rows);

}  // namespace teff::cli
