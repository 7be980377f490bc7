// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Draws box plots as SVG; see box_plot.hpp.
#include <cli/report/box_plot.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/report/svg.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

void draw_box(svg_picture& picture, const plot_box& box, const axis& across, double y, double height) {
    const double middle = y + height / 2;
    const auto x = [&](double value) { return across.position(value); };
    picture.line(x(box.values.least), middle, x(box.values.most), middle, "class=\"range\"");
    for (const double end : {box.values.least, box.values.most})
        picture.line(x(end), middle - 4, x(end), middle + 4, "class=\"range\"");
    // If the quartiles are equal, the box must still be visible.
    picture.rectangle(x(box.values.lower), y + 4, std::max(x(box.values.upper) - x(box.values.lower), 1.5), height - 8,
                      fmt::format("rx=\"2\" class=\"fill-{}\"", box.colour), box.hint);
    picture.line(x(box.values.middle), y + 4, x(box.values.middle), y + height - 4, "class=\"median\"");
}

}  // namespace

std::string box_plot(const std::vector<plot_box>& boxes, const std::string& title, const std::string& across_title) {
    constexpr double row_height = 26;
    constexpr double right = 84;
    constexpr double top = 6;
    if (boxes.empty())
        return {};
    double greatest = 0;
    for (const plot_box& each : boxes)
        greatest = std::max(greatest, each.values.most);
    const double left = label_room(boxes);
    const double bottom = top + row_height * static_cast<double>(boxes.size());
    svg_picture picture(plot_width, bottom + 42, title);
    const axis across = axis::linear(greatest, left, plot_width - right);
    std::vector<std::pair<double, std::string>> ticks;
    for (const double tick : across.ticks()) {
        picture.line(across.position(tick), top, across.position(tick), bottom, "class=\"grid\"");
        ticks.emplace_back(across.position(tick), fmt::format("{:.10g}", tick));
    }
    picture.tick_texts(ticks, bottom + 17);
    picture.text((left + plot_width - right) / 2, bottom + 34, anchor::middle, across_title, "class=\"tick\"");
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const double y = top + row_height * static_cast<double>(i);
        picture.text(left - 8, y + row_height / 2 + 4, anchor::end, fitted_label(boxes[i].label, left),
                     boxes[i].colour == "teff" ? "class=\"strong\"" : "");
        draw_box(picture, boxes[i], across, y, row_height);
        picture.text(across.position(boxes[i].values.most) + 8, y + row_height / 2 + 4, anchor::start,
                     number_text(boxes[i].values.middle), "class=\"value\"");
    }
    return picture.markup();
}

}  // namespace teff::cli
