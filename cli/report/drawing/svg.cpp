// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing SVG; see svg.hpp.
#include <cli/report/drawing/svg.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include <fmt/format.h>

namespace teff::cli {

namespace {

const char* anchor_name(anchor where) {
    switch (where) {
    case anchor::start:
        return "start";
    case anchor::middle:
        return "middle";
    case anchor::end:
        return "end";
    }
    return "start";
}

// The greatest member of the series 1, 2, 5, 10, 20, ... that is not above a value; next_step() gives the next member.
double step_at_most(double value) {
    const double decade = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {5.0, 2.0})
        if (decade * factor <= value * (1 + 1e-9))
            return decade * factor;
    return decade;
}

double next_step(double step) {
    const double decade = std::pow(10, std::floor(std::log10(step * (1 + 1e-9))));
    const double digit = std::round(step / decade);
    return digit < 2 ? 2 * decade : digit < 5 ? 5 * decade : 10 * decade;
}

}  // namespace

std::string fitted_label(const std::string& label, double room) {
    const auto most = static_cast<std::size_t>(std::max((room - label_space) / label_letter_width, 4.0));
    if (characters_in(label) <= most)
        return label;
    const std::size_t end = (most - 1) / 2;
    return std::string(first_characters(label, most - 1 - end)) + "\u2026" +
           std::string(last_characters(label, end));
}

svg_picture::svg_picture(double width, double height, const std::string& title)
    : width_(width), height_(height), title_(title) {}

void svg_picture::line(double x1, double y1, double x2, double y2, const std::string& style) {
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", x1, y1, x2, y2,
                         style);
}

void svg_picture::rectangle(double x, double y, double width, double height, const std::string& style,
                            const std::string& hint) {
    body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}", x, y,
                         std::max(width, 0.0), height, style);
    close_with_hint("rect", hint);
}

void svg_picture::circle(double x, double y, double radius, const std::string& style, const std::string& hint) {
    body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\" {}", x, y, radius, style);
    close_with_hint("circle", hint);
}

void svg_picture::polyline(const std::vector<std::pair<double, double>>& points, const std::string& style) {
    std::string list;
    for (const auto& [x, y] : points)
        list += fmt::format("{:.1f},{:.1f} ", x, y);
    body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", list, style);
}

void svg_picture::path(const std::string& shape, const std::string& style, const std::string& hint) {
    body_ += fmt::format("<path d=\"{}\" {}", shape, style);
    close_with_hint("path", hint);
}

void svg_picture::text(double x, double y, anchor where, const std::string& words, const std::string& style) {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" {}>{}</text>\n", x, y, anchor_name(where),
                         style, markup_text(words));
}

void svg_picture::tick_texts(const std::vector<std::pair<double, std::string>>& ticks, double y) {
    constexpr double letter_width = 7, space = 6;
    double end = -space;
    for (const auto& [x, words] : ticks) {
        const double half = letter_width * static_cast<double>(characters_in(words)) / 2;
        if (x - half < end + space)
            continue;
        text(x, y, anchor::middle, words, "class=\"tick\"");
        end = x + half;
    }
}

std::string svg_picture::markup() const {
    constexpr double least_scale = 0.88, greatest_scale = 1.25;
    return fmt::format("<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" style=\"min-width:{2:.0f}px; max-width:{3:.0f}px\" "
                       "role=\"img\" aria-label=\"{4}\">\n{5}</svg>\n",
                       width_, height_, width_ * least_scale, width_ * greatest_scale, markup_text(title_), body_);
}

std::string svg_picture::file(const std::string& style) const {
    return fmt::format("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
                       "height=\"{1:.0f}\">\n<title>{2}</title>\n<style>{3}</style>\n"
                       "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#ffffff\"/>\n{4}</svg>\n",
                       width_, height_, markup_text(title_), style, body_);
}

void svg_picture::close_with_hint(const std::string& element, const std::string& hint) {
    body_ += hint.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", markup_text(hint), element);
}

axis axis::linear(double greatest, double from, double to) {
    constexpr double most_ticks = 5;
    const double top = greatest > 0 ? greatest : 1;
    double step = step_at_most(top / most_ticks);
    while (top / step > most_ticks)
        step = next_step(step);
    axis result(false, 0, top * 1.02, from, to);
    for (int i = 0; i * step <= result.high_; ++i)
        result.ticks_.push_back(i * step);
    return result;
}

axis axis::logarithmic(double least, double greatest, double from, double to) {
    constexpr std::size_t most_ticks = 9;
    double low = step_at_most(least * 0.95);
    double high = low;
    while (high < greatest * 1.05)
        high = next_step(high);
    axis result(true, low, high, from, to);
    for (double step = low; step <= high * (1 + 1e-9); step = next_step(step))
        result.ticks_.push_back(step);
    if (result.ticks_.size() > most_ticks)
        std::erase_if(result.ticks_, [](double tick) {
            const double exponent = std::log10(tick);
            return std::abs(exponent - std::round(exponent)) > 1e-6;
        });
    return result;
}

double axis::position(double value) const {
    const double share = is_logarithmic_ ? (std::log(value) - std::log(low_)) / (std::log(high_) - std::log(low_))
                                         : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
}

std::vector<double> spread(std::vector<double> wishes, double distance, double least, double greatest) {
    std::vector<std::size_t> order(wishes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(wishes[a], a) < std::tie(wishes[b], b);
    });
    // First moves each label down that is too near to the one above; then, from the bottom edge, moves labels up
    // again.
    double limit = least;
    for (const std::size_t i : order) {
        wishes[i] = std::max(wishes[i], limit);
        limit = wishes[i] + distance;
    }
    limit = greatest;
    for (auto i = order.rbegin(); i != order.rend(); ++i) {
        wishes[*i] = std::min(wishes[*i], limit);
        limit = wishes[*i] - distance;
    }
    return wishes;
}

}  // namespace teff::cli
