// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Box plots, one above the other: a box for the quartiles, a line across it for the median, and a line from least to
// most.
//
// No value is treated as an outlier: such a plot shall show precisely a worker that did nothing. The axis is linear
// and begins at zero, since the reader compares the spread of the values with their size.
#pragma once

#include <string>
#include <vector>

#include <cli/report/statistics.hpp>

namespace teff::cli {

struct plot_box {
    std::string label;
    std::string colour;  // a CSS class of the page
    std::string hint;
    five_number_summary values;
};

// `title` is for screen readers. Returns an empty text if there are no boxes.
[[nodiscard]] std::string box_plot(const std::vector<plot_box>& boxes, const std::string& title,
                                   const std::string& across_title);

}  // namespace teff::cli
