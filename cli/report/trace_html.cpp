// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the page of a trace; see trace_html.hpp. The page's script reads one JSON object, in which a slice is [begin,
// length, name, category, depth], with times in microseconds.
#include <cli/report/trace_html.hpp>

#include <algorithm>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include <cli/report/sort_stably.hpp>
#include <cli/report/svg.hpp>
#include <cli/report/trace_script.hpp>
#include <cli/report/trace_summary.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

constexpr std::size_t most_slices = 200'000, most_in_legend = 24;

// The length below which slices are left out; 0: all are shown.
double least_shown_us(const recorded_trace& seen) {
    std::vector<double> lengths;
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices)
            lengths.push_back(each.end_us - each.begin_us);
    if (lengths.size() <= most_slices)
        return 0;
    const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(most_slices);
    std::nth_element(lengths.begin(), place, lengths.end(), std::greater<>());
    return *place;
}

std::string list_of(const std::vector<std::string>& texts) {
    std::string made;
    for (const std::string& each : texts)
        made += (made.empty() ? "" : ",") + json_string(each);
    return "[" + made + "]";
}

// Names with their category, by the time that they took.
std::string legend_of(const recorded_trace& seen) {
    struct entry {
        std::uint32_t name = 0, category = 0;
        double own_us = -1;
    };
    std::vector<entry> all(seen.names.size());
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices) {
            entry& total = all[each.name];
            total = {each.name, each.category, std::max(total.own_us, 0.0) + each.own_us};
        }
    std::erase_if(all, [](const entry& each) { return each.own_us < 0; });
    sort_stably(all, [](const entry& one, const entry& other) { return one.own_us > other.own_us; });
    std::string made;
    for (std::size_t i = 0; i < std::min(all.size(), most_in_legend); ++i)
        made += fmt::format("{}[{},{}]", i == 0 ? "" : ",", all[i].name, all[i].category);
    return "[" + made + "]";
}

std::string data_of(const recorded_trace& seen, double least_us) {
    std::string made = fmt::format("{{\"span\":{:.3f},\"names\":{},\"categories\":{},\"legend\":{},\"running\":[",
                                   seen.span_us, list_of(seen.names), list_of(seen.categories), legend_of(seen));
    for (std::size_t i = 0; i < seen.running.size(); ++i)
        made += fmt::format("{}[{:.3f},{:.3f}]", i == 0 ? "" : ",", seen.running[i].first, seen.running[i].second);
    made += "],\"threads\":[";
    for (const recorded_trace::thread& thread : seen.threads) {
        made += fmt::format("{}{{\"name\":{},\"slices\":[", &thread == seen.threads.data() ? "" : ",\n",
                            json_string(thread.name));
        const char* comma = "";
        for (const recorded_trace::slice& each : thread.slices) {
            const double length = each.end_us - each.begin_us;
            if (length < least_us)
                continue;
            made += fmt::format("{}[{:.3f},{:.3f},{},{},{}]", comma, each.begin_us, length, each.name, each.category,
                                each.depth);
            comma = ",";
        }
        made += "],\"steals\":[";
        for (std::size_t i = 0; i < std::min(thread.steals_us.size(), most_slices); ++i)
            made += fmt::format("{}{:.3f}", i == 0 ? "" : ",", thread.steals_us[i]);
        made += "]}";
    }
    return made + "]}";
}

}  // namespace

std::string trace_page(const recorded_trace& seen) {
    const double least_us = least_shown_us(seen);
    std::string notes;
    if (least_us > 0)
        notes += fmt::format("<p class=\"soft\">Slices shorter than {} are not in this page.</p>\n",
                             format_seconds(least_us / 1e6));
    if (seen.dropped != 0)
        notes += fmt::format("<p class=\"soft\">{} events were dropped: there was room for {}. After that the lanes "
                             "show only what each thread does.</p>\n",
                             seen.dropped, seen.events);
    return fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Trace of {0}</title>\n"
        "<style>{1}</style>\n</head>\n<body>\n<main>\n<h1>Trace of {0}</h1>\n"
        "<p class=\"soft\">{2}, {3} threads, scheduler {4}; {5}</p>\n{6}"
        "<p class=\"soft\">The wheel zooms, a drag moves, a double click shows all; keys: + and -, the arrows, 0. A "
        "small triangle is a search that found something.</p>\n"
        "<ul class=\"legend\" aria-label=\"colours\"></ul>\n"
        "<div class=\"card\"><canvas tabindex=\"0\" role=\"img\" aria-label=\"what each thread did when\"></canvas>"
        "</div>\n"
        "<div class=\"card\"><pre>{7}</pre></div>\n<div id=\"tip\" role=\"status\"></div>\n"
        "<script type=\"application/json\" id=\"data\">{8}</script>\n<script>{9}</script>\n</main>\n</body>\n</html>\n",
        markup_text(seen.program), trace_style, format_seconds(seen.span_us / 1e6), seen.threads.size(),
        markup_text(seen.scheduler), markup_text(seen.version), notes, markup_text(trace_summary(seen, std::nullopt)),
        data_of(seen, least_us), trace_script);
}

}  // namespace teff::cli
