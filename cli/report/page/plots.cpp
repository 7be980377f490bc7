// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plots of one kernel; see plots.hpp.
#include <cli/report/page/plots.hpp>

#include <algorithm>
#include <iterator>
#include <tuple>

#include <fmt/format.h>

#include <teff/depend/names.hpp>
#include <teff/schedulers.hpp>

#include <cli/report/drawing/line_plot.hpp>
#include <cli/report/drawing/svg.hpp>
#include <cli/report/page/report_style.hpp>
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
    std::string interval = {};  // if the row is noisy
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
            false,
            row.is_noisy() ? fmt::format(", noisy: {} to {}", format_seconds(least->seconds),
                                         format_seconds(most->seconds))
                           : std::string{}};
}

std::string value_text(const bar& each) {
    return (each.is_lower_bound ? "over " : "") + format_seconds(each.seconds) + each.interval;
}

// Where the axis ends. Bars that are many times longer than most are cut, or the others could not be told apart.
double axis_end(const std::vector<bar>& bars) {
    constexpr double most_medians = 10;
    std::vector<double> ends;
    for (const bar& each : bars)
        ends.push_back(each.seconds);
    std::sort(ends.begin(), ends.end());
    const double limit = most_medians * ends[(ends.size() - 1) / 2];
    double end = 0;
    for (const bar& each : bars)
        for (const double value : {each.seconds, each.most})
            if (value <= limit)
                end = std::max(end, value);
    return end;
}

// Two slanted lines across a bar that is longer than the axis.
void draw_cut(svg_picture& picture, double x, double y, double height) {
    for (const double offset : {0.0, 5.0})
        picture.path(fmt::format("M{:.1f} {:.1f}l-5 {:.1f}", x + offset + 2.5, y, height), "class=\"cut\"");
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
            all.push_back({label, colour_class(what), what.compiler == "clang" ? clang_dashes : "",
                           what.variant == "wait"});
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
    // The place among the schedulers, and among the trackers, where `auto` has that of the first one.
    const auto scheduler = std::find_if(all.begin(), all.end(),
                                        [&](const scheduler_traits& each) { return *what.scheduler == each.name; });
    auto place = std::distance(all.begin(), scheduler);
    if (what.tracker && *what.tracker != tracker_choices[0].name)
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
    constexpr double top = 6;
    constexpr double value_letter_width = 7;
    constexpr double least_room = 120;  // for the bars
    constexpr double cut_room = 36;     // for the part of a bar behind the end of the axis
    const std::vector<bar> bars = bars_of(rows, skipped);
    if (bars.empty())
        return {};
    const double end_of_axis = axis_end(bars);
    // The width of the bars, so that the number behind each has room.
    const auto room_for_bars = [&](double left) {
        double room = plot_width;
        for (const bar& each : bars) {
            const double share = std::min(std::max(each.seconds, each.most) / end_of_axis, 1.0);
            const double text = 14 + value_letter_width * static_cast<double>(characters_in(value_text(each)));
            room = std::min(room, (plot_width - left - text) / std::max(share, 0.01));
        }
        return std::min(room, plot_width - left - 14);
    };
    double left = label_room(bars);
    while (room_for_bars(left) < least_room && left > most_label_room / 3)
        left -= label_letter_width;
    const auto is_cut = [&](double value) { return value > end_of_axis; };
    const bool any_cut = std::any_of(bars.begin(), bars.end(), [&](const bar& each) { return is_cut(each.most); });
    const double far_end = left + room_for_bars(left);
    const double bottom = top + row_height * static_cast<double>(bars.size());
    svg_picture picture(plot_width, bottom + (any_cut ? 44 : 26), "time by runtime");
    const axis across = axis::linear(end_of_axis, left, any_cut ? far_end - cut_room : far_end);
    std::vector<std::pair<double, std::string>> ticks;
    for (const double tick : across.ticks()) {
        picture.line(across.position(tick), top, across.position(tick), bottom, "class=\"grid\"");
        ticks.emplace_back(across.position(tick), fmt::format("{:g} s", tick));
    }
    picture.tick_texts(ticks, bottom + 17);
    if (any_cut)
        picture.text(far_end, bottom + 36, anchor::end, "with a gap (//): longer than the axis", "class=\"tick\"");
    const auto position = [&](double value) { return is_cut(value) ? far_end : across.position(value); };
    for (std::size_t i = 0; i < bars.size(); ++i) {
        const bar& each = bars[i];
        const double y = top + row_height * static_cast<double>(i);
        const double middle = y + row_height / 2;
        const double end = position(each.seconds);
        picture.text(left - 8, middle + 4, anchor::end, fitted_label(each.label, left),
                     each.colour == "teff" ? "class=\"strong\"" : "");
        picture.rectangle(left, y + 4, std::max(end - left, 1.5), row_height - 8,
                          fmt::format("rx=\"2\" class=\"fill-{}{}\"", each.colour, each.is_lower_bound ? " bound" : ""),
                          each.hint);
        if (!each.is_lower_bound && each.most > each.least) {
            picture.line(position(each.least), middle, position(each.most), middle, "class=\"range\"");
            if (!each.interval.empty())
                for (const double limit : {each.least, each.most})
                    picture.line(position(limit), middle - 5, position(limit), middle + 5, "class=\"range\"");
        }
        if (is_cut(each.most))
            draw_cut(picture, far_end - cut_room / 2, y + 2, row_height - 4);
        picture.text(position(std::max(each.seconds, each.most)) + 6, middle + 4, anchor::start, value_text(each),
                     "class=\"value\"");
    }
    return picture.markup();
}

std::string speedup_plot(const std::vector<const measurement*>& rows,
                         const std::vector<const comparison*>& comparisons) {
    constexpr double least_speedup = 1e-6;  // below any real speed-up; makes the axis logarithmic
    return line_plot(speedups_of(rows, comparisons), {.title = "speed-up over threads",
                                                      .across_title = "threads",
                                                      .least = least_speedup,
                                                      .shows_one = true,
                                                      .shows_compilers = true});
}

}  // namespace teff::cli
