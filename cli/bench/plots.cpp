// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of one kernel; see plots.hpp.
#include <cli/bench/plots.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <teff/scheduler/names.hpp>

#include <cli/bench/svg.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

constexpr double width = 560;

struct bar {
    std::string label;
    std::string colour;
    std::string hint;
    double seconds = 0;
    double least = 0;
    double most = 0;
    bool is_lower_bound = false;
};

unsigned most_threads(const std::vector<const measurement*>& rows) {
    unsigned most = 1;
    for (const measurement* row : rows)
        most = std::max(most, row->what.threads);
    return most;
}

bar bar_of(const measurement& row) {
    const auto [least, most] = std::minmax_element(row.runs.begin(), row.runs.end(),
                                                   [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    const double middle = row.median_seconds();
    return {series_text(row.what),
            colour_class(row.what),
            fmt::format("{}: median {} of {}, {} to {}", row.what.text(), format_seconds(middle), row.runs.size(),
                        format_seconds(least->seconds), format_seconds(most->seconds)),
            middle,
            least->seconds,
            most->seconds,
            false};
}

std::vector<bar> bars_of(const std::vector<const measurement*>& rows, const std::vector<skip>& skipped) {
    const unsigned threads = most_threads(rows);
    std::vector<bar> bars;
    for (const measurement* row : rows)
        if (row->what.threads == threads || row->what.runtime == "serial")
            bars.push_back(bar_of(*row));
    for (const skip& each : skipped)
        if (each.lower_bound_seconds && !rows.empty() && each.what.same_problem(rows.front()->what) &&
            (each.what.threads == threads || each.what.runtime == "serial"))
            bars.push_back({series_text(each.what), colour_class(each.what), each.what.text() + ": " + each.reason,
                            *each.lower_bound_seconds, 0, *each.lower_bound_seconds, true});
    // Nobody knows where those with only a lower bound would stand: they come last.
    std::sort(bars.begin(), bars.end(), [](const bar& a, const bar& b) {
        return std::tie(a.is_lower_bound, a.seconds, a.label) < std::tie(b.is_lower_bound, b.seconds, b.label);
    });
    return bars;
}

struct series {
    std::string label;
    std::string colour;
    bool is_dashed = false;
    bool is_open = false;
    std::vector<std::pair<unsigned, double>> points;  // threads, speed-up
};

std::vector<series> speedups_of(const std::vector<const measurement*>& rows,
                                const std::vector<const comparison*>& comparisons) {
    std::vector<series> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const configuration& what = rows[i]->what;
        if (what.runtime == "serial" || !comparisons[i]->to_serial)
            continue;
        const std::string label = series_text(what);
        auto found = std::find_if(all.begin(), all.end(), [&](const series& each) { return each.label == label; });
        if (found == all.end()) {
            all.push_back({label, colour_class(what), what.compiler == "clang", what.variant == "wait", {}});
            found = std::prev(all.end());
        }
        found->points.emplace_back(what.threads, 1 / comparisons[i]->to_serial->median);
    }
    for (series& each : all)
        std::sort(each.points.begin(), each.points.end());
    return all;
}

// Thread counts at equal distances, so that 1, 2 and 64 can all be read.
std::map<unsigned, double> thread_positions(const std::vector<series>& all, double from, double to) {
    std::map<unsigned, double> positions;
    for (const series& each : all)
        for (const auto& [threads, speedup] : each.points)
            positions[threads] = 0;
    double index = 0.5;
    for (auto& [threads, position] : positions) {
        position = from + (to - from) * index / static_cast<double>(positions.size());
        index += 1;
    }
    return positions;
}

void draw_series(svg_picture& picture, const series& each, const std::map<unsigned, double>& across,
                 const axis& upward) {
    std::vector<std::pair<double, double>> points;
    for (const auto& [threads, speedup] : each.points)
        points.emplace_back(across.at(threads), upward.position(speedup));
    picture.polyline(points, fmt::format("class=\"stroke-{} series\"{}", each.colour,
                                         each.is_dashed ? " stroke-dasharray=\"5 3\"" : ""));
    for (std::size_t i = 0; i < points.size(); ++i)
        picture.circle(points[i].first, points[i].second, 3.6,
                       fmt::format("class=\"{} stroke-{} mark\"", each.is_open ? "open" : "fill-" + each.colour,
                                   each.colour),
                       fmt::format("{}, {} threads: speed-up {:.2f}", each.label, each.points[i].first,
                                   each.points[i].second));
}

void draw_series_labels(svg_picture& picture, const std::vector<series>& all, const std::map<unsigned, double>& across,
                        const axis& upward, double x, double top, double bottom) {
    std::vector<double> wishes;
    for (const series& each : all)
        wishes.push_back(upward.position(each.points.back().second));
    const std::vector<double> places = spread(wishes, 14, top, bottom);
    for (std::size_t i = 0; i < all.size(); ++i) {
        const double mark = across.at(all[i].points.back().first);
        picture.polyline({{mark + 6, wishes[i]}, {x - 12, places[i]}, {x - 4, places[i]}},
                         fmt::format("class=\"stroke-{} leader\"", all[i].colour));
        picture.text(x, places[i] + 4, anchor::start, all[i].label,
                     all[i].colour == "teff" ? "class=\"strong\"" : "");
    }
}

}  // namespace

std::string colour_class(const configuration& what) {
    if (what.runtime != "teff" || !what.scheduler || *what.scheduler == scheduler_names[0].name)
        return what.runtime;
    const auto found = std::find_if(std::begin(scheduler_names), std::end(scheduler_names),
                                    [&](const named_choice& each) { return *what.scheduler == each.name; });
    return fmt::format("teff-{}", 1 + std::distance(std::begin(scheduler_names), found));
}

std::string time_plot(const std::vector<const measurement*>& rows, const std::vector<skip>& skipped) {
    constexpr double row_height = 24;
    constexpr double right = 84;
    constexpr double top = 6;
    constexpr double letter_width = 7.6;  // of bold text
    const std::vector<bar> bars = bars_of(rows, skipped);
    if (bars.empty())
        return {};
    std::size_t longest = 0;
    for (const bar& each : bars)
        longest = std::max(longest, each.label.size());
    const double left = std::min(14 + letter_width * static_cast<double>(longest), width / 2);
    const double bottom = top + row_height * static_cast<double>(bars.size());
    svg_picture picture(width, bottom + 26, "time by runtime");
    double greatest = 0;
    for (const bar& each : bars)
        greatest = std::max(greatest, each.most);
    const axis across = axis::linear(greatest, left, width - right);
    for (const double tick : across.ticks()) {
        picture.line(across.position(tick), top, across.position(tick), bottom, "class=\"grid\"");
        picture.text(across.position(tick), bottom + 17, anchor::middle, fmt::format("{:g} s", tick),
                     "class=\"tick\"");
    }
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const bar& each = bars[i];
        const double y = top + row_height * static_cast<double>(i);
        const double middle = y + row_height / 2;
        const double end = across.position(each.seconds);
        picture.text(left - 8, middle + 4, anchor::end, each.label, each.colour == "teff" ? "class=\"strong\"" : "");
        picture.rectangle(left, y + 4, std::max(end - left, 1.5), row_height - 8,
                          fmt::format("rx=\"2\" class=\"fill-{}{}\"", each.colour, each.is_lower_bound ? " bound" : ""),
                          each.hint);
        if (!each.is_lower_bound && each.most > each.least)
            picture.line(across.position(each.least), middle, across.position(each.most), middle, "class=\"range\"");
        picture.text(std::max(end, across.position(each.most)) + 6, middle + 4, anchor::start,
                     (each.is_lower_bound ? "over " : "") + format_seconds(each.seconds), "class=\"value\"");
    }
    return picture.markup();
}

std::string speedup_plot(const std::vector<const measurement*>& rows,
                         const std::vector<const comparison*>& comparisons) {
    constexpr double left = 44;
    constexpr double label_x = width - 168;
    constexpr double top = 10;
    const std::vector<series> all = speedups_of(rows, comparisons);
    if (all.empty())
        return {};
    const double bottom = top + std::max(210.0, 21.0 * static_cast<double>(all.size()));
    double least = 1;
    double greatest = 1;
    for (const series& each : all) {
        for (const auto& [threads, speedup] : each.points) {
            least = std::min(least, speedup);
            greatest = std::max(greatest, speedup);
        }
    }
    svg_picture picture(width, bottom + 40, "speed-up over threads");
    const axis upward = axis::logarithmic(least, greatest, bottom, top);
    for (const double tick : upward.ticks()) {
        const double y = upward.position(tick);
        const bool is_one = std::abs(tick - 1) < 1e-6;
        picture.line(left, y, label_x - 20, y, is_one ? "class=\"one\"" : "class=\"grid\"");
        picture.text(left - 6, y + 4, anchor::end, fmt::format("{:g}", tick), "class=\"tick\"");
    }
    const auto across = thread_positions(all, left, label_x - 20);
    for (const auto& [threads, x] : across)
        picture.text(x, bottom + 17, anchor::middle, fmt::format("{}", threads), "class=\"tick\"");
    picture.text((left + label_x - 20) / 2, bottom + 34, anchor::middle, "threads", "class=\"tick\"");
    for (const series& each : all)
        draw_series(picture, each, across, upward);
    draw_series_labels(picture, all, across, upward, label_x, top + 4, bottom - 4);
    return picture.markup();
}

}  // namespace teff::cli
