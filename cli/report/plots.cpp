// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of one kernel; see plots.hpp.
#include <cli/report/plots.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/report/line_plot.hpp>
#include <cli/report/report_style.hpp>
#include <cli/report/svg.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

struct bar {
    std::string label;
    std::string colour;
    std::string hint;
    double seconds = 0;
    double least = 0;
    double most = 0;
    bool is_lower_bound = false;
};

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
    // Bars that show only a lower bound come last, since their true place is unknown.
    std::sort(bars.begin(), bars.end(), [](const bar& a, const bar& b) {
        return std::tie(a.is_lower_bound, a.seconds, a.label) < std::tie(b.is_lower_bound, b.seconds, b.label);
    });
    return bars;
}

std::vector<plot_line> speedups_of(const std::vector<const measurement*>& rows,
                                   const std::vector<const comparison*>& comparisons) {
    std::vector<plot_line> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const configuration& what = rows[i]->what;
        if (what.runtime == "serial" || !comparisons[i]->to_serial)
            continue;
        const std::string label = series_text(what);
        auto found = std::find_if(all.begin(), all.end(), [&](const plot_line& each) { return each.label == label; });
        if (found == all.end()) {
            all.push_back({label, colour_class(what), what.compiler == "clang" ? "5 3" : "", what.variant == "wait"});
            found = std::prev(all.end());
        }
        const double speedup = 1 / comparisons[i]->to_serial->median;
        found->points.push_back({static_cast<double>(what.threads), speedup,
                                 fmt::format("{}, {} threads: speed-up {:.2f}", label, what.threads, speedup)});
    }
    return all;
}

}  // namespace

unsigned most_threads(const std::vector<const measurement*>& rows) {
    unsigned most = 1;
    for (const measurement* row : rows)
        most = std::max(most, row->what.threads);
    return most;
}

std::string colour_class(const configuration& what) {
    constexpr auto all = schedulers();
    if (!is_teff(what.runtime))
        return what.runtime;
    if (!what.scheduler)
        return "teff";
    // The place among the schedulers, and among the trackers.
    const auto scheduler = std::find_if(all.begin(), all.end(),
                                        [&](const scheduler_traits& each) { return *what.scheduler == each.name; });
    auto place = std::distance(all.begin(), scheduler);
    if (what.tracker)
        place += std::find_if(std::begin(tracker_names), std::end(tracker_names),
                              [&](const named_choice& each) { return *what.tracker == each.name; }) -
                 std::begin(tracker_names);
    if (place == 0)
        return "teff";
    // The numbers start at teff-2; they start there again if there are more places than colours.
    return fmt::format("teff-{}", 2 + (place - 1) % (scheduler_colours - 1));
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
    const double left = std::min(14 + letter_width * static_cast<double>(longest), plot_width / 2);
    const double bottom = top + row_height * static_cast<double>(bars.size());
    svg_picture picture(plot_width, bottom + 26, "time by runtime");
    double greatest = 0;
    for (const bar& each : bars)
        greatest = std::max(greatest, each.most);
    const axis across = axis::linear(greatest, left, plot_width - right);
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
    constexpr double least_speedup = 1e-6;  // below any real speed-up; makes the axis logarithmic
    return line_plot(speedups_of(rows, comparisons), {.title = "speed-up over threads",
                                                      .across_title = "threads",
                                                      .least = least_speedup,
                                                      .shows_one = true});
}

}  // namespace teff::cli
