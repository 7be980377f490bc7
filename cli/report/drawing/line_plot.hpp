// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Line plots over a few x values, with a name at the end of each line.
//
// The x values are drawn at equal distances, whatever they are: 1, 2 and 64 threads are all readable, and so are 0 and
// 32768. A line may also be level, for a value that does not depend on x. Names are spread so that none hides another,
// and a thin leader line joins each name with its line.
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
    std::string colour;       // a CSS class of the page: "teff", "libgomp"
    std::string dashes = {};  // in SVG's notation; empty: solid
    bool is_open = false;     // the marks are open circles
    std::vector<line_point> points = {};
    std::optional<line_point> level = {};  // replaces the points; only its y is used
};

struct line_axes {
    std::string title;  // for screen readers
    std::string across_title;
    std::string upward_title = {};
    double least = 0;          // above 0: the y axis is logarithmic, and smaller values are drawn at this value
    bool shows_one = false;    // draws a stronger grid line at y = 1; the y axis then includes 1
    bool shows_compilers = false;  // a legend explains compilers and open marks
};

// The lines of programs that Clang has built have these dashes where those of GCC are solid.
inline constexpr const char* clang_dashes = "5 3";

// Returns an empty text if there is no line. A line without points and without a level is left out.
[[nodiscard]] std::string line_plot(std::vector<plot_line> lines, const line_axes& axes);

}  // namespace teff::cli
