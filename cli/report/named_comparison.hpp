// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares Teff with certain named runtimes, for the table on the terminal and for the report page.
//
// Kind openmp: the program built by GCC runs on libgomp and on Teff, the one built by Clang on libomp, libiomp5 and
// Teff. A ratio to a named runtime compares two runs of the same program, so only the runtime differs. Kind threads:
// Teff's fibers are compared with system threads and Boost's fibers, built by the same compiler, and with Go's
// goroutines. The best peer may also be a program of the other compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

struct named_cell {
    std::string text;             // "-" if there is no value
    std::optional<double> value;  // empty also if the text is the name of the best peer
};

struct named_line {
    const measurement* row;
    std::vector<named_cell> cells;  // as many as there are titles
};

struct named_comparison {
    std::vector<std::string> titles;
    std::vector<named_line> lines;
};

// The title of the only column without numbers.
inline constexpr const char* best_peer_title = "best peer";

// One line per row of Teff. The result points into `rows`.
[[nodiscard]] named_comparison named_comparison_of(const std::vector<measurement>& rows,
                                                   const std::vector<comparison>& comparisons);

}  // namespace teff::cli
