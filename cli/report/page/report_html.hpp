// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The results as one self-contained HTML page: no script, font or image from elsewhere; plots are inline SVG. Its own
// script sorts tables (report_script.hpp); without scripts the page says the same.
//
// From top to bottom: where the numbers come from; two overviews; Teff beside the best peer; for each kernel, time by
// runtime and speed-up over threads; timelines; task graphs; all rows; hardware counters; what was skipped and why.
// Micro-benchmarks have their own plots in place of the overviews and the plots of time and speed-up; a sweep over
// cut-offs has one plot of the time over the cut-off. The page follows the reader's light or dark setting and prints
// well. Every text from outside this program is escaped.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>

namespace teff::cli {

[[nodiscard]] std::string report_html(const nlohmann::ordered_json& machine, const measurements& results,
                                      const presentations& shown);

}  // namespace teff::cli
