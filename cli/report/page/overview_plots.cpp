// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overviews of all kernels; see plots.hpp.
//
// Both are the same picture of different values: a line per kernel, and a point per runtime on a logarithmic axis. A
// runtime's point is its best row (its faster variant and compiler), so each runtime is shown at its best.
#include <cli/report/page/plots.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <teff/depend/names.hpp>

#include <cli/report/drawing/svg.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

struct point {
    std::string problem;  // "fib quick"
    std::string label;
    std::string colour;
    std::string hint;
    double value = 0;
};

std::string problem_text(const configuration& what) {
    if (what.size_text() == "quick")
        return what.kernel;
    return fmt::format("{}:{}", what.kernel, what.size) + (what.cutoff ? fmt::format("@{}", *what.cutoff) : "");
}

std::string runtime_text(const configuration& what) {
    return what.scheduler ? what.runtime + " " + scheduling_text(what) : what.runtime;
}

// Keeps the smaller value for each runtime and problem.
void add_best(std::vector<point>& points, point candidate) {
    const auto same = std::find_if(points.begin(), points.end(), [&](const point& other) {
        return other.problem == candidate.problem && other.label == candidate.label;
    });
    if (same == points.end())
        points.push_back(std::move(candidate));
    else if (candidate.value < same->value)
        *same = std::move(candidate);
}

unsigned most_threads(const std::vector<measurement>& rows) {
    unsigned most = 1;
    for (const measurement& row : rows)
        most = std::max(most, row.what.threads);
    return most;
}

template <class T>
std::vector<std::string> distinct(const std::vector<point>& points, T member) {
    std::vector<std::string> values;
    for (const point& each : points)
        if (std::find(values.begin(), values.end(), each.*member) == values.end())
            values.push_back(each.*member);
    return values;
}

double draw_legend(svg_picture& picture, const std::vector<point>& points) {
    double x = 8;
    double y = 14;
    for (const std::string& label : distinct(points, &point::label)) {
        const auto sample =
            std::find_if(points.begin(), points.end(), [&](const point& each) { return each.label == label; });
        const double label_width = 34 + 7.2 * static_cast<double>(characters_in(label));
        if (x + label_width > plot_width) {
            x = 8;
            y += 20;
        }
        picture.circle(x + 4, y - 4, 5, fmt::format("class=\"fill-{}\"", sample->colour));
        picture.text(x + 14, y, anchor::start, label);
        x += label_width;
    }
    return y + 12;
}

std::string dot_plot(const std::vector<point>& points, const std::string& title, const std::string& unit) {
    constexpr double row_height = 28;
    constexpr double right = 24;
    constexpr double dot_letter_width = 7.2;
    if (points.empty())
        return {};
    const std::vector<std::string> problems = distinct(points, &point::problem);
    std::size_t longest = 0;
    for (const std::string& each : problems)
        longest = std::max(longest, each.size());
    const double left = std::clamp(18 + dot_letter_width * static_cast<double>(longest), 104.0, plot_width / 2);
    // The legend takes at most one line for every two runtimes.
    const double most_height = 120 + row_height * static_cast<double>(problems.size());
    svg_picture measure_only(plot_width, most_height, title);
    const double top = draw_legend(measure_only, points);
    const double bottom = top + row_height * static_cast<double>(problems.size());
    svg_picture picture(plot_width, bottom + 40, title);
    draw_legend(picture, points);
    double least = std::numeric_limits<double>::infinity();
    double greatest = 0;
    for (const point& each : points) {
        least = std::min(least, each.value);
        greatest = std::max(greatest, each.value);
    }
    const axis across = axis::logarithmic(least, greatest, left, plot_width - right);
    std::vector<std::pair<double, std::string>> ticks;
    for (const double tick : across.ticks()) {
        const double x = across.position(tick);
        picture.line(x, top, x, bottom, std::abs(tick - 1) < 1e-6 && unit == "x" ? "class=\"one\"" : "class=\"grid\"");
        ticks.emplace_back(x, fmt::format("{:g}", tick));
    }
    picture.tick_texts(ticks, bottom + 17);
    picture.text((left + plot_width - right) / 2, bottom + 34, anchor::middle, title, "class=\"tick\"");
    for (std::size_t i = 0; i < problems.size(); ++i) {
        const double y = top + row_height * (static_cast<double>(i) + 0.5);
        picture.line(left, y, plot_width - right, y, "class=\"row\"");
        picture.text(left - 10, y + 4, anchor::end, fitted_label(problems[i], left));
        // Teff's default is drawn last, so that no other point hides it.
        for (const bool is_default : {false, true})
            for (const point& each : points)
                if (each.problem == problems[i] && (each.colour == "teff") == is_default)
                    picture.circle(across.position(each.value), y, is_default ? 6.5 : 5.5,
                                   fmt::format("class=\"fill-{} dot\"", each.colour), each.hint);
    }
    return picture.markup();
}

}  // namespace

std::string ratio_overview(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    const unsigned threads = most_threads(rows);
    std::vector<point> points;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const configuration& what = rows[i].what;
        if (what.in_sweep || what.threads != threads || what.runtime == "serial" || !comparisons[i].to_serial)
            continue;
        const double value = comparisons[i].to_serial->median;
        add_best(points, {problem_text(what), runtime_text(what), colour_class(what),
                          fmt::format("{}: {:.3f} of serial", what.text(), value), value});
    }
    return dot_plot(points, fmt::format("time / serial time, {} threads", threads), "x");
}

std::string measure_overview(const std::vector<const measurement*>& rows, const figure& what, unsigned threads) {
    std::vector<point> points;
    for (const measurement* row : rows) {
        const auto value = found_median(*row, what.measured);
        // A logarithmic axis has no place for a difference that was lost in noise.
        if (row->what.threads != threads || !value || *value <= 0)
            continue;
        // One colour and one label for the default tracker and for rows that need none.
        configuration named = row->what;
        if (named.tracker == tracker_choices[0].name)
            named.tracker.reset();
        const std::string tip = fmt::format("{}: {} {}", row->what.text(), number_text(*value), what.measured_title);
        add_best(points, {row->what.variant, runtime_text(named), colour_class(row->what), tip, *value});
    }
    return dot_plot(points, fmt::format("{}, {} thread{}", what.measured_title, threads, threads == 1 ? "" : "s"), "");
}

std::string cost_overview(const std::vector<measurement>& rows) {
    const unsigned threads = most_threads(rows);
    std::vector<point> points;
    for (const measurement& row : rows) {
        if (row.what.in_sweep || !row.what.has_ratio || row.tasks == 0 ||
            (row.what.threads != threads && row.what.runtime != "serial"))
            continue;
        const double value = row.median_seconds() * 1e9 / static_cast<double>(row.tasks);
        add_best(points, {problem_text(row.what), runtime_text(row.what), colour_class(row.what),
                          fmt::format("{}: {:.4g} ns per task", row.what.text(), value), value});
    }
    return dot_plot(points, fmt::format("wall-clock nanoseconds per task, {} threads (serial: 1)", threads), "ns");
}

}  // namespace teff::cli
