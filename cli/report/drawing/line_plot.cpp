// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws line plots as SVG; see line_plot.hpp.
#include <cli/report/drawing/line_plot.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>

#include <cli/report/drawing/svg.hpp>

namespace teff::cli {

namespace {

constexpr double scale_room = 52;  // at the left

using places = std::map<double, double>;  // from values to positions

places places_of(const std::vector<plot_line>& lines, double right) {
    places positions;
    for (const plot_line& line : lines)
        for (const line_point& point : line.points)
            positions[point.x] = 0;
    double index = 0.5;
    for (auto& [value, position] : positions) {
        position = scale_room + (right - scale_room) * index / static_cast<double>(positions.size());
        index += 1;
    }
    return positions;
}

axis upward_axis(const std::vector<plot_line>& lines, const line_axes& axes, double bottom, double top) {
    double least = axes.shows_one ? 1 : std::numeric_limits<double>::infinity();
    double greatest = axes.shows_one ? 1 : -std::numeric_limits<double>::infinity();
    const auto include = [&](double value) {
        least = std::min(least, value);
        greatest = std::max(greatest, value);
    };
    for (const plot_line& line : lines) {
        for (const line_point& point : line.points)
            include(point.y);
        if (line.level)
            include(line.level->y);
    }
    if (axes.least > 0)
        return axis::logarithmic(std::max(least, axes.least), std::max(greatest, axes.least), bottom, top);
    return axis::linear(greatest, bottom, top);
}

// 20000000 becomes 20M and 20000 becomes 20k; 2000 stays as it is.
std::string tick_text(double value) {
    if (value >= 1e9)
        return fmt::format("{:g}G", value / 1e9);
    if (value >= 1e6)
        return fmt::format("{:g}M", value / 1e6);
    return value >= 1e4 ? fmt::format("{:g}k", value / 1e3) : fmt::format("{:g}", value);
}

double height_of(double value, const line_axes& axes, const axis& upward) {
    return upward.position(std::max(value, axes.least));
}

void draw_grid(svg_picture& picture, const axis& upward, const line_axes& axes, double right) {
    for (const double tick : upward.ticks()) {
        const double y = upward.position(tick);
        const bool is_one = axes.shows_one && std::abs(tick - 1) < 1e-6;
        picture.line(scale_room, y, right, y, is_one ? "class=\"one\"" : "class=\"grid\"");
        picture.text(scale_room - 6, y + 4, anchor::end, tick_text(tick), "class=\"tick\"");
    }
}

// Returns the point where the label's leader line begins.
std::pair<double, double> draw_line(svg_picture& picture, const plot_line& line, const line_axes& axes,
                                    const places& across, const axis& upward, double right) {
    const std::string dashes = line.dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", line.dashes);
    if (line.level) {
        const double y = height_of(line.level->y, axes, upward);
        picture.line(scale_room, y, right, y, fmt::format("class=\"stroke-{} level\"{}", line.colour, dashes));
        return {right, y};
    }
    std::vector<std::pair<double, double>> points;
    for (const line_point& point : line.points)
        points.emplace_back(across.at(point.x), height_of(point.y, axes, upward));
    picture.polyline(points, fmt::format("class=\"stroke-{} series\"{}", line.colour, dashes));
    for (std::size_t i = 0; i < points.size(); ++i)
        picture.circle(points[i].first, points[i].second, 3.6,
                       fmt::format("class=\"{} stroke-{} mark\"", line.is_open ? "open" : "fill-" + line.colour,
                                   line.colour),
                       line.points[i].hint);
    return points.back();
}

// One entry for each kind of line that there is.
void draw_compilers(svg_picture& picture, const std::vector<plot_line>& lines, double y) {
    const auto any = [&](auto holds) { return std::any_of(lines.begin(), lines.end(), holds); };
    double x = scale_room;
    const auto add = [&](const std::string& words, const std::string& dashes, bool is_mark) {
        if (is_mark)
            picture.circle(x + 14, y - 4, 3.6, "class=\"open plain mark\"");
        else
            picture.line(x, y - 4, x + 28, y - 4,
                         fmt::format("class=\"plain series\" stroke-dasharray=\"{}\"", dashes));
        picture.text(x + 34, y, anchor::start, words, "class=\"tick\"");
        x += 34 + 7.4 * static_cast<double>(words.size()) + 20;
    };
    if (any([](const plot_line& line) { return line.dashes.empty(); }))
        add("by GCC", "none", false);
    if (any([](const plot_line& line) { return line.dashes == clang_dashes; }))
        add("by Clang", clang_dashes, false);
    if (any([](const plot_line& line) { return line.is_open; }))
        add("tasks wait", "", true);
}

}  // namespace

std::string line_plot(std::vector<plot_line> lines, const line_axes& axes) {
    std::erase_if(lines, [](const plot_line& line) { return line.points.empty() && !line.level; });
    if (lines.empty())
        return {};
    for (plot_line& line : lines)
        std::sort(line.points.begin(), line.points.end(),
                  [](const line_point& a, const line_point& b) { return a.x < b.x; });
    const double top = axes.upward_title.empty() ? 10 : 30;
    const double bottom = top + std::max(210.0, 21.0 * static_cast<double>(lines.size()));
    svg_picture picture(plot_width, bottom + (axes.shows_compilers ? 62 : 40), axes.title);
    const axis upward = upward_axis(lines, axes, bottom, top);
    const double label_x = plot_width - label_room(lines);
    const double right = label_x - 20;
    const places across = places_of(lines, right);
    draw_grid(picture, upward, axes, right);
    if (!axes.upward_title.empty())
        picture.text(8, 14, anchor::start, axes.upward_title, "class=\"tick\"");
    std::vector<std::pair<double, std::string>> ticks;
    for (const auto& [value, x] : across)
        ticks.emplace_back(x, fmt::format("{:.10g}", value));
    picture.tick_texts(ticks, bottom + 17);
    if (axes.shows_compilers)
        draw_compilers(picture, lines, bottom + 56);
    picture.text((scale_room + right) / 2, bottom + 34, anchor::middle, axes.across_title, "class=\"tick\"");

    std::vector<std::pair<double, double>> ends;
    std::vector<double> wishes;
    for (const plot_line& line : lines) {
        ends.push_back(draw_line(picture, line, axes, across, upward, right));
        wishes.push_back(ends.back().second);
    }
    const std::vector<double> heights = spread(wishes, 14, top + 4, bottom - 4);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        picture.polyline({{ends[i].first + 6, wishes[i]}, {label_x - 12, heights[i]}, {label_x - 4, heights[i]}},
                         fmt::format("class=\"stroke-{} leader\"", lines[i].colour));
        picture.text(label_x, heights[i] + 4, anchor::start, fitted_label(lines[i].label, plot_width - label_x),
                     lines[i].colour == "teff" ? "class=\"strong\"" : "");
    }
    return picture.markup();
}

}  // namespace teff::cli
