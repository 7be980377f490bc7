// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A picture as inline SVG: a few shapes, two scales, and nothing else.
//
// Colours are CSS classes or custom properties of the page, so one picture serves light and dark and print. Widths are
// those of the viewBox; the page scales pictures to its columns. Text has no measured width here: an average character
// is taken as 0.58 of the font size, which the layouts leave room for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace teff::cli {

// &, <, > and quotes as HTML and SVG need them.
[[nodiscard]] std::string escaped(std::string_view text);

// Of every plot, in units of the viewBox.
inline constexpr double plot_width = 560;

// For the longest of the labels in bold, at most half the plot.
template <class Labelled>
[[nodiscard]] double label_room(const std::vector<Labelled>& all) {
    constexpr double letter_width = 7.6, space = 14;
    std::size_t longest = 0;
    for (const Labelled& each : all)
        longest = std::max(longest, each.label.size());
    return std::min(space + letter_width * static_cast<double>(longest), plot_width / 2);
}

enum class anchor { start, middle, end };

class svg_picture {
public:
    // title is what a screen reader says.
    svg_picture(double width, double height, const std::string& title);

    // style is added to the element as it is: a class or presentation attributes.
    void line(double x1, double y1, double x2, double y2, const std::string& style);
    void rectangle(double x, double y, double width, double height, const std::string& style,
                   const std::string& hint = {});
    void circle(double x, double y, double radius, const std::string& style, const std::string& hint = {});
    void polyline(const std::vector<std::pair<double, double>>& points, const std::string& style);
    void text(double x, double y, anchor where, const std::string& words, const std::string& style = {});

    [[nodiscard]] std::string markup() const;

private:
    void close_with_hint(const std::string& element, const std::string& hint);

    double width_;
    double height_;
    std::string title_;
    std::string body_;
};

// From values to positions, linear or logarithmic, with round numbers as ticks.
class axis {
public:
    // From zero to a little above the greatest value.
    [[nodiscard]] static axis linear(double greatest, double from, double to);
    // Around all values, widened to whole steps of 1, 2 and 5. The values must be positive.
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

// Positions for labels that would overlap: each as near to its wish as the distance allows, in the order of wishes.
[[nodiscard]] std::vector<double> spread(std::vector<double> wishes, double distance, double least, double greatest);

}  // namespace teff::cli
