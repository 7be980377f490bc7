// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of the report: time by runtime, speed-up over threads, and two overviews of all kernels.
//
// A runtime has the same colour everywhere (CSS classes of the page: fill-teff, stroke-teff and so on); Teff's colour
// stands out, and serial is grey. The line shows the compiler: solid is GCC, dashed is Clang. Waiting variants have
// open marks, and a legend says both. Time begins at zero on a linear axis, because the eye compares the lengths of
// bars; a bar that is over ten times longer than most has a gap, and its number beside it as all have. Ratios and costs
// per task span decades, so they are on logarithmic axes, as points and never as bars. A noisy row has its interval.
#pragma once

#include <string>
#include <vector>

#include <cli/report/comparison.hpp>
#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

// Every configuration of one kernel at the greatest number of threads, with the range of its runs. Skipped ones that
// have a lower bound are drawn with an open end.
[[nodiscard]] std::string time_plot(const std::vector<const measurement*>& rows, const std::vector<skip>& skipped);

// Speed-up of one kernel (serial time divided by time) over the number of threads. Empty if no row has a serial
// version.
[[nodiscard]] std::string speedup_plot(const std::vector<const measurement*>& rows,
                                       const std::vector<const comparison*>& comparisons);

// One point per runtime and kernel: the best row at the greatest number of threads.
[[nodiscard]] std::string ratio_overview(const std::vector<measurement>& rows,
                                         const std::vector<comparison>& comparisons);
[[nodiscard]] std::string cost_overview(const std::vector<measurement>& rows);

// One line per variant and one point per runtime, for a found measure of the rows with that number of threads.
[[nodiscard]] std::string measure_overview(const std::vector<const measurement*>& rows, const figure& what,
                                           unsigned threads);

// The greatest number of threads in the rows, 1 if there is no row.
[[nodiscard]] unsigned most_threads(const std::vector<const measurement*>& rows);

// The CSS class for a configuration's colour: "teff", "teff-2" for a second scheduler, "libgomp", ...
[[nodiscard]] std::string colour_class(const configuration& what);

}  // namespace teff::cli
