// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lines over a few places on the horizontal axis, with a name at the end of each line.
//
// The places stand at equal distances, whatever their values: 1, 2 and 64 threads can all be read, and so can 0 beside
// 32768. A line may also be level, for what does not depend on the place. Names are spread so that none hides another,
// and a thin leader joins each with its line.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace teff::cli {

struct line_point {
    double x = 0;
    double y = 0;
    std::string hint;
};

struct plot_line {
    std::string label;
    std::string colour;       // a class of the page: "teff", "libgomp"
    std::string dashes = {};  // as SVG writes them; empty: solid
    bool is_open = false;     // the marks
    std::vector<line_point> points = {};
    std::optional<line_point> level = {};  // instead of points; x does not count
};

struct line_axes {
    std::string title;  // what a screen reader says
    std::string across_title;
    std::string upward_title = {};
    double least = 0;          // above 0: logarithmic, and smaller values are drawn there
    bool shows_one = false;    // a stronger line at 1, which the axis then includes
};

// Empty when there is no line. A line without points is left out.
[[nodiscard]] std::string line_plot(std::vector<plot_line> lines, const line_axes& axes);

}  // namespace teff::cli
