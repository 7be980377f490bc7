// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pictures of a micro-benchmark, as its presentation describes them.
//
// Each runtime, scheduler and variant is one line or box, drawn from the faster of its compilers. If rows differ in
// the number of threads and the picture does not have threads as its axis, the rows with the greatest number are
// used.
//
// A box plot has a box for the quartiles, a line across it for the median, and a line from least to most. No value is
// treated as an outlier: such a plot shall show precisely a worker that did nothing. The axis is linear and begins at
// zero, since the reader compares the spread of the values with their size.
#pragma once

#include <string>
#include <vector>

#include <cli/report/presentation.hpp>
#include <cli/report/results.hpp>
#include <cli/report/statistics.hpp>

namespace teff::cli {

// Box plots, one above the other.

struct plot_box {
    std::string label;
    std::string colour;  // a CSS class of the page
    std::string hint;
    five_number_summary values;
};

// `title` is for screen readers. Returns an empty text if there are no boxes.
[[nodiscard]] std::string box_plot(const std::vector<plot_box>& boxes, const std::string& title,
                                   const std::string& across_title);

struct titled_picture {
    std::string title;
    std::string markup;
};

// `rows`: all rows of one kernel. A picture without rows is left out.
[[nodiscard]] std::vector<titled_picture> micro_plots(const std::vector<const measurement*>& rows,
                                                      const presentation& shown);

}  // namespace teff::cli
