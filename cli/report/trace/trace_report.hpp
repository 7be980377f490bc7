// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a trace: a summary on the terminal, and a page in which the time can be searched.
#pragma once

#include <optional>
#include <string>

#include <cli/report/trace/trace_file.hpp>

namespace teff::cli {

// The summary. No line is wider than `width`; without one, tables have all columns and names are whole.
[[nodiscard]] std::string trace_summary(const recorded_trace& seen, std::optional<unsigned> width);

// A trace as one page that loads nothing from elsewhere: a lane for each thread, to be zoomed and moved, with the
// slices inside each other, and above them how many threads work. Light and dark.
//
// The page has at most 200 000 slices, the longest ones, and says so if there were more: a browser would not draw a
// million of them smoothly.
[[nodiscard]] std::string trace_page(const recorded_trace& seen);

}  // namespace teff::cli
