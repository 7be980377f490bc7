// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading and drawing a timeline; see timeline.hpp.
//
// A row is one path for each activity, which keeps the picture small: at most 480 columns in each of the rows.
#include <cli/report/trace/timeline.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/report/drawing/svg.hpp>

namespace teff::cli {

namespace {

constexpr std::size_t time_columns = 480;
constexpr double column_width = 2, left = 94, right = 62, top = 34, bottom = 40;
constexpr double picture_width = left + column_width * time_columns + right;

struct activity_row {
    const char* name;   // in the file
    const char* title;  // in the legend
    const char* style;
};

constexpr activity_row activities[thread_activity_count] = {
    {"work", "runs tasks", "class=\"t-work\""},
    {"search", "searches its team for tasks", "class=\"t-search\""},
    {"pool", "searches for a team", "class=\"t-pool\""},
    {"sleep", "sleeps", "class=\"t-sleep\""},
    {"wait", "waits for others", "class=\"t-wait\""},
};

std::size_t index_of(thread_activity what) { return static_cast<std::size_t>(what); }

thread_activity activity_named(const std::string& name) {
    for (std::size_t i = 0; i < thread_activity_count; ++i)
        if (name == activities[i].name)
            return static_cast<thread_activity>(i);
    throw std::runtime_error(fmt::format("it has an unknown activity '{}'", name));
}

timeline::thread read_thread(const nlohmann::json& object) {
    timeline::thread thread;
    thread.name = object.at("name").get<std::string>();
    for (std::size_t i = 0; i < thread_activity_count; ++i)
        thread.sums_us[i] = object.at(std::string(activities[i].name) + "_ns").get<double>() / 1000;
    thread.merged = object.at("merged").get<std::uint64_t>();
    thread.merged_below_us = object.at("merged_below_ns").get<double>() / 1000;
    return thread;
}

// The share of each activity in each column.
using shares = std::vector<std::array<double, thread_activity_count>>;

shares shares_of(const timeline::thread& thread, double span_us) {
    shares result(time_columns);
    if (span_us <= 0)
        return result;
    const double column_us = span_us / static_cast<double>(time_columns);
    for (const timeline::stretch& each : thread.stretches) {
        const double end_us = std::min(each.end_us, span_us);
        auto column = static_cast<std::size_t>(std::max(each.begin_us, 0.0) / column_us);
        for (; column < time_columns && static_cast<double>(column) * column_us < end_us; ++column) {
            const double from = std::max(each.begin_us, static_cast<double>(column) * column_us);
            const double to = std::min(end_us, static_cast<double>(column + 1) * column_us);
            result[column][index_of(each.what)] += std::max(to - from, 0.0) / column_us;
        }
    }
    return result;
}

// The path of one activity in a row: rectangles, each as wide as its columns look the same.
std::string path_of(const shares& all, std::size_t activity, double y, double height) {
    std::string path;
    const auto place_of = [&](std::size_t column) {
        double below = 0;
        for (std::size_t i = 0; i < activity; ++i)
            below += all[column][i];
        return std::pair(std::round(below * height * 10), std::round(all[column][activity] * height * 10));
    };
    for (std::size_t first = 0, end = 0; first < time_columns; first = end) {
        const auto [below, own] = place_of(first);
        for (end = first + 1; end < time_columns && place_of(end) == std::pair(below, own); ++end) {
        }
        if (own == 0)
            continue;
        const double x = left + column_width * static_cast<double>(first);
        const double width = column_width * static_cast<double>(end - first);
        path += fmt::format("M{:g} {:.1f}h{:g}v{:.1f}h{:g}z", x, y + height - (below + own) / 10, width, own / 10,
                            -width);
    }
    return path;
}

void add_legend(svg_picture& picture, double y) {
    double x = left;
    for (const activity_row& each : activities) {
        picture.rectangle(x, y - 10, 14, 12, each.style);
        picture.text(x + 20, y, anchor::start, each.title);
        x += 44 + 7 * static_cast<double>(std::string(each.title).size());
    }
    picture.text(picture_width - 4, y, anchor::end, "work", "class=\"tick\"");
}

void add_axis(svg_picture& picture, double span_us, double y, double end) {
    const double right_end = left + column_width * time_columns;
    // The axis begins and ends with the columns, while linear() leaves room above the greatest value.
    const axis scale = axis::linear(span_us / 1000, 0, 1);
    const double one = scale.position(span_us / 1000);
    for (const double tick : scale.ticks()) {
        const double x = left + (right_end - left) * scale.position(tick) / one;
        if (x > right_end + 0.5)
            continue;
        picture.line(x, y, x, end + 4, "class=\"grid\"");
        picture.text(x, end + 17, anchor::middle, fmt::format("{:g} ms", tick), "class=\"tick\"");
    }
}

std::string share_of_work(const timeline::thread& thread, double span_us) {
    return fmt::format("{:.1f}%", span_us > 0 ? 100 * thread.sums_us[index_of(thread_activity::work)] / span_us : 0);
}

std::string hint_of(const timeline::thread& thread, const activity_row& what, double sum_us, double span_us) {
    return fmt::format("{}: {}: {:.3f} ms, {:.1f}%", thread.name, what.title, sum_us / 1000,
                       span_us > 0 ? 100 * sum_us / span_us : 0);
}

// A remark on the parts of the run that the picture does not show; empty if it shows all.
std::string remark_on(const timeline& seen) {
    std::uint64_t merged = 0;
    double below_us = 0;
    for (const timeline::thread& each : seen.threads) {
        merged += each.merged;
        below_us = std::max(below_us, each.merged_below_us);
    }
    std::string text;
    if (merged != 0)
        text = fmt::format("{} stretches shorter than {:g} us are drawn as part of the one before them; the shares of "
                           "work at the right are exact.",
                           merged, below_us);
    if (seen.threads_left_out != 0)
        text += fmt::format("{}{} more threads were not recorded.", text.empty() ? "" : " ", seen.threads_left_out);
    return text;
}

svg_picture picture_of(const timeline& seen, const std::string& title, double heading) {
    constexpr double all_rows = 640;
    const auto count = static_cast<double>(std::max<std::size_t>(seen.threads.size(), 1));
    const double row_height = std::clamp(all_rows / count, 4.0, 24.0);
    const double height = row_height * 0.8;
    const double first_y = heading + top;
    const double end = first_y + row_height * count;
    svg_picture picture(picture_width, end + bottom, title);
    if (heading > 0)
        picture.text(left, 20, anchor::start, title, "class=\"strong\"");
    add_legend(picture, heading + 14);
    add_axis(picture, seen.span_us, first_y - 4, end);
    for (std::size_t i = 0; i < seen.threads.size(); ++i) {
        const timeline::thread& thread = seen.threads[i];
        const double y = first_y + row_height * static_cast<double>(i);
        // With thin rows only some have room for their names.
        if (row_height >= 13 || i % static_cast<std::size_t>(std::ceil(13 / row_height)) == 0) {
            picture.text(left - 8, y + height / 2 + 4, anchor::end, thread.name);
            picture.text(picture_width - 4, y + height / 2 + 4, anchor::end, share_of_work(thread, seen.span_us),
                         "class=\"value\"");
        }
        const shares all = shares_of(thread, seen.span_us);
        for (std::size_t what = 0; what < thread_activity_count; ++what)
            if (const std::string path = path_of(all, what, y, height); !path.empty())
                picture.path(path, activities[what].style,
                             hint_of(thread, activities[what], thread.sums_us[what], seen.span_us));
    }
    if (const std::string remark = remark_on(seen); !remark.empty())
        picture.text(left, end + 34, anchor::start, remark, "class=\"tick\"");
    return picture;
}

}  // namespace

// Dark blue, orange, yellow, light grey and purple, with a lightness (L*) of 32, 61, 78, 91 and 70.
const char* const timeline_style = R"css(.t-work { fill: #0a4f80; } .t-search { fill: #e07b00; }
.t-pool { fill: #eab91f; } .t-sleep { fill: #e3e7eb; } .t-wait { fill: #b9a3d0; }
)css";

timeline read_timeline(const std::string& text) {
    const auto file = nlohmann::json::parse(repaired(text), nullptr, false);
    if (file.is_discarded())
        throw std::runtime_error(text.empty() ? "it is empty" : "it is no JSON");
    try {
        timeline seen;
        seen.span_us = file.at("teff").at("span_ns").get<double>() / 1000;
        seen.threads_left_out = file.at("teff").at("threads_left_out").get<std::uint64_t>();
        std::map<long, timeline::thread> by_tid;
        std::map<long, long> tid_by_order;
        for (const auto& object : file.at("teff").at("threads")) {
            const long tid = object.at("thread").get<long>();
            by_tid[tid] = read_thread(object);
            tid_by_order[object.at("order").get<long>()] = tid;
        }
        for (const auto& event : file.at("traceEvents")) {
            if (event.at("ph") != "X")
                continue;
            const double begin_us = event.at("ts").get<double>();
            by_tid.at(event.at("tid").get<long>())
                .stretches.push_back({begin_us, begin_us + event.at("dur").get<double>(),
                                      activity_named(event.at("name").get<std::string>())});
        }
        for (const auto& [order, tid] : tid_by_order)
            seen.threads.push_back(std::move(by_tid.at(tid)));
        return seen;
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(fmt::format("it is no timeline of Teff ({})", error.what()));
    } catch (const std::out_of_range&) {
        throw std::runtime_error("it is no timeline of Teff (an event has no thread)");
    }
}

std::string timeline_plot(const timeline& seen, const std::string& title) {
    return picture_of(seen, title, 0).markup();
}

std::string timeline_file(const timeline& seen, const std::string& title) {
    return picture_of(seen, title, 26).file(std::string(timeline_style) + R"css(
text { font: 12.5px system-ui, "DejaVu Sans", sans-serif; fill: #1c2024; }
.tick, .value { fill: #4a535b; font-size: 11.5px; } .strong { font-weight: 700; }
.grid { stroke: #c3c9cf; stroke-width: 1; }
)css");
}

}  // namespace teff::cli
