// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture as inline SVG: a few shapes, two scales, and nothing else.
//
// Colours are CSS classes or custom properties of the page, so one picture serves light, dark and print. Widths are
// in units of the viewBox; the page scales pictures to its columns. The width of text is not measured: an average
// character is assumed to be 0.58 of the font size wide, and the layouts leave room for that. A picture in a page never
// becomes so small that its texts could not be read; it scrolls instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <cli/shown_text.hpp>

namespace teff::cli {

// The width of every plot, in units of the viewBox.
inline constexpr double plot_width = 560;

// Room for the longest of the labels in bold, at most so much that the plot keeps some, too.
inline constexpr double label_letter_width = 7.6, label_space = 14, most_label_room = plot_width * 0.6;
template <class Labelled>
[[nodiscard]] double label_room(const std::vector<Labelled>& all) {
    std::size_t longest = 0;
    for (const Labelled& each : all)
        longest = std::max(longest, characters_in(each.label));
    return std::min(label_space + label_letter_width * static_cast<double>(longest), most_label_room);
}

// The label as far as there is room for it; its middle is left out, since both ends tell labels apart.
[[nodiscard]] std::string fitted_label(const std::string& label, double room);

enum class anchor { start, middle, end };

class svg_picture {
public:
    // `title` is for screen readers.
    svg_picture(double width, double height, const std::string& title);

    // Titles, hints and words may be any text. `style` is added to the element verbatim: a class or presentation
    // attributes.
    void line(double x1, double y1, double x2, double y2, const std::string& style);
    void rectangle(double x, double y, double width, double height, const std::string& style,
                   const std::string& hint = {});
    void circle(double x, double y, double radius, const std::string& style, const std::string& hint = {});
    void polyline(const std::vector<std::pair<double, double>>& points, const std::string& style);
    // `shape` is the path's data.
    void path(const std::string& shape, const std::string& style, const std::string& hint = {});
    void text(double x, double y, anchor where, const std::string& words, const std::string& style = {});
    // The texts of the ticks of a horizontal axis, from left to right; one that has no room beside those before it is
    // left out.
    void tick_texts(const std::vector<std::pair<double, std::string>>& ticks, double y);

    // As a part of a page.
    [[nodiscard]] std::string markup() const;
    // As a file of its own, on white, with this style sheet.
    [[nodiscard]] std::string file(const std::string& style) const;

private:
    void close_with_hint(const std::string& element, const std::string& hint);

    double width_;
    double height_;
    std::string title_;
    std::string body_;
};

// Maps values to positions, linearly or logarithmically, with round numbers as ticks.
class axis {
public:
    // From zero to a little above the greatest value. The value must not be negative.
    [[nodiscard]] static axis linear(double greatest, double from, double to);
    // Covers all values, widened to whole steps of 1, 2 and 5. The values must be positive.
    [[nodiscard]] static axis logarithmic(double least, double greatest, double from, double to);

    [[nodiscard]] double position(double value) const;
    [[nodiscard]] const std::vector<double>& ticks() const { return ticks_; }

private:
    axis(bool is_logarithmic, double low, double high, double from, double to)
        : is_logarithmic_(is_logarithmic), low_(low), high_(high), from_(from), to_(to) {}

    bool is_logarithmic_;
    double low_;
    double high_;
    double from_;
    double to_;
    std::vector<double> ticks_;
};

// Positions for labels that would overlap, in the order of their wishes and each near its wish. Neighbours are at
// least `distance` apart.
[[nodiscard]] std::vector<double> spread(std::vector<double> wishes, double distance, double least, double greatest);

}  // namespace teff::cli
