// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A trace as one page that loads nothing from elsewhere: a lane for each thread, to be zoomed and moved, with the
// slices inside each other, and above them how many threads work. Light and dark.
//
// The page has at most 200 000 slices, the longest ones, and says so if there were more: a browser would not draw a
// million of them smoothly.
#pragma once

#include <string>

#include <cli/report/trace_file.hpp>

namespace teff::cli {

[[nodiscard]] std::string trace_page(const recorded_trace& seen);

}  // namespace teff::cli
