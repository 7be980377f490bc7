// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teff beside certain other runtimes, each by its name, for the table on the terminal and for the page.
//
// Kind openmp: GCC's program runs on libgomp and on Teff, Clang's on libomp, on libiomp5 and on Teff. A ratio to one of
// these is that of the same program, so nothing but the runtime differs. Kind threads: fibers beside the threads of the
// system and Boost's fibers, by the same compiler, and Go's goroutines. The best peer may be the program of the other
// compiler.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

struct named_cell {
    std::string text;             // a dash stands for a missing value
    std::optional<double> value;  // empty for that, and for the name of the best peer
};

struct named_line {
    const measurement* row;
    std::vector<named_cell> cells;  // as many as there are titles
};

struct named_comparison {
    std::vector<std::string> titles;
    std::vector<named_line> lines;
};

// The title of the only column that is no number.
inline constexpr const char* best_peer_title = "best peer";

// One line per row of Teff. The result points into `rows`.
[[nodiscard]] named_comparison named_comparison_of(const std::vector<measurement>& rows,
                                                   const std::vector<comparison>& comparisons);

}  // namespace teff::cli
