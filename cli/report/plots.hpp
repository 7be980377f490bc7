// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of the report: time by runtime, speed-up over threads, and two overviews of all kernels.
//
// A runtime has one colour everywhere (classes of the page's style: fill-teff, stroke-teff and so on), Teff's stands
// out, serial is grey. Compilers are told apart by the line: solid is GCC, dashed is Clang; waiting variants have open
// marks. Time begins at zero on a linear axis, because the length of a bar is what the eye compares; ratios and costs
// per task span decades and are logarithmic, as points, never as bars.
#pragma once

#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// Every configuration of one kernel at the greatest number of threads, with the range of its runs; skipped ones that
// have a lower bound are drawn open-ended.
[[nodiscard]] std::string time_plot(const std::vector<const measurement*>& rows, const std::vector<skip>& skipped);

// Serial time over time, by number of threads, of one kernel. Empty when no row has a serial version beside it.
[[nodiscard]] std::string speedup_plot(const std::vector<const measurement*>& rows,
                                       const std::vector<const comparison*>& comparisons);

// One point per runtime and kernel: the best row at the greatest number of threads.
[[nodiscard]] std::string ratio_overview(const std::vector<measurement>& rows,
                                         const std::vector<comparison>& comparisons);
[[nodiscard]] std::string cost_overview(const std::vector<measurement>& rows);

// The greatest number of threads in the rows, 1 if there is no row.
[[nodiscard]] unsigned most_threads(const std::vector<const measurement*>& rows);

// The class for a configuration's colour: "teff", "teff-2" for a second scheduler, "libgomp", ...
[[nodiscard]] std::string colour_class(const configuration& what);

}  // namespace teff::cli
