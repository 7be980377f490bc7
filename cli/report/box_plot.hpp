// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Boxes, one above the other: quartiles as a box, the median as a line across it, and a line from least to most.
//
// There are no outliers: every value counts, because a worker that did nothing is just what such a plot shall show.
// The axis is linear and begins at zero, since what is compared is how far the values lie apart, beside their size.
#pragma once

#include <string>
#include <vector>

#include <cli/report/statistics.hpp>

namespace teff::cli {

struct plot_box {
    std::string label;
    std::string colour;  // a class of the page
    std::string hint;
    five_numbers values;
};

// title is what a screen reader says. Empty when there is no box.
[[nodiscard]] std::string box_plot(const std::vector<plot_box>& boxes, const std::string& title,
                                   const std::string& across_title);

}  // namespace teff::cli
