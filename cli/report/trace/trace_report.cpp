// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the summary and the page of a trace; see trace_report.hpp. The page's script reads one JSON object, in which a
// slice is [begin, length, name, category, depth], with times in microseconds.
#include <cli/report/trace/trace_report.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <fmt/format.h>

#include <cli/report/drawing/svg.hpp>
#include <cli/report/drawing/text_table.hpp>
#include <cli/report/trace/sort_stably.hpp>
#include <cli/report/trace/trace_script.hpp>
#include <cli/shown_text.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

constexpr std::size_t most_functions = 10, most_shown_runs = 5, most_shown_threads = 32;
constexpr unsigned width_without_terminal = 100, width_of_all = 10'000, rows_of_plot = 5;

std::string duration_text(double us) { return format_seconds(us / 1e6); }
std::string share_text(double part, double whole) {
    return fmt::format("{:.1f} %", whole > 0 ? 100 * part / whole : 0.0);
}

// A name from the record, which may have any characters.
std::string shown_name(const recorded_trace& seen, std::uint32_t name) { return terminal_text(seen.names[name]); }

// How many threads work in each of `count` equal parts of the time.
std::vector<double> running_in_parts(const recorded_trace& seen, std::size_t count) {
    std::vector<double> parts(count, 0);
    const double part_us = seen.span_us / static_cast<double>(count);
    for (std::size_t i = 0; i < seen.running.size() && part_us > 0; ++i) {
        const double begin = seen.running[i].first;
        const double end = i + 1 < seen.running.size() ? seen.running[i + 1].first : seen.span_us;
        for (auto part = static_cast<std::size_t>(begin / part_us);
             part < count && static_cast<double>(part) * part_us < end; ++part) {
            const double from = std::max(begin, static_cast<double>(part) * part_us);
            const double to = std::min(end, static_cast<double>(part + 1) * part_us);
            parts[part] += seen.running[i].second * std::max(to - from, 0.0) / part_us;
        }
    }
    return parts;
}

double time_of(const recorded_trace& seen, thread_state what) {
    double sum = 0;
    for (const recorded_trace::thread& each : seen.threads)
        sum += each.times_us[static_cast<std::size_t>(what)];
    return sum;
}

std::string parallelism_plot(const recorded_trace& seen, unsigned width) {
    const std::string most = fmt::format("{}", seen.threads.size());
    const std::size_t indent = most.size() + 3;
    const std::size_t columns = width > indent + 10 ? width - indent : 10;
    const std::vector<double> parts = running_in_parts(seen, columns);
    const double full = std::max(static_cast<double>(seen.threads.size()), 1.0);
    std::string text;
    for (unsigned row = rows_of_plot; row-- > 0;) {
        std::string line = fmt::format("{:>{}} |", row + 1 == rows_of_plot ? most : "", most.size() + 1);
        // A column has a mark in the lowest row if any thread has worked at all.
        const double needed = row == 0 ? 0.001 : full * (row + 0.5) / rows_of_plot - 0.001;
        for (const double each : parts)
            line += each >= needed ? '#' : ' ';
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
    }
    text += fmt::format("{:>{}} +{}\n", "0", most.size() + 1, std::string(columns, '-'));
    const std::string end = duration_text(seen.span_us);
    text += fmt::format("{:>{}}{:>{}}\n", "0", indent + 1, end, columns - 1);
    return text;
}

struct function_times {
    std::uint32_t name;
    std::uint64_t runs = 0;
    double own_us = 0, longest_us = 0;
};

bool is_function(const recorded_trace& seen, const recorded_trace::slice& each) {
    return !seen.is(each, "activity") && !seen.is(each, "label");
}

std::vector<function_times> functions_of(const recorded_trace& seen) {
    std::vector<function_times> all(seen.names.size());
    for (std::uint32_t name = 0; name < all.size(); ++name)
        all[name].name = name;
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices) {
            if (!is_function(seen, each))
                continue;
            function_times& times = all[each.name];
            ++times.runs;
            times.own_us += each.own_us;
            times.longest_us = std::max(times.longest_us, each.end_us - each.begin_us);
        }
    std::erase_if(all, [](const function_times& each) { return each.runs == 0; });
    sort_stably(all, [](const auto& one, const auto& other) { return one.own_us > other.own_us; });
    return all;
}

std::string function_table(const recorded_trace& seen, unsigned width) {
    const std::vector<function_times> all = functions_of(seen);
    if (all.empty())
        return "No task was recorded: none was taken from a queue, or there was no room (--events).\n";
    const double work_us = std::max(time_of(seen, thread_state::work), 1e-9);
    text_table table({{"own time", true},
                      {"of work", true, 2},
                      {"runs", true, 1},
                      {"mean", true, 3},
                      {"longest", true, 4},
                      {"function", false}});
    constexpr std::size_t room_of_numbers = 54;
    const std::size_t room = std::max<std::size_t>(width > room_of_numbers ? width - room_of_numbers : 0, 20);
    for (std::size_t i = 0; i < std::min(all.size(), most_functions); ++i)
        table.add({duration_text(all[i].own_us), share_text(all[i].own_us, work_us), fmt::format("{}", all[i].runs),
                   duration_text(all[i].own_us / static_cast<double>(all[i].runs)), duration_text(all[i].longest_us),
                   cut_to(shown_name(seen, all[i].name), room)});
    std::string text = table.text(width);
    if (all.size() > most_functions)
        text += fmt::format("and {} more functions\n", all.size() - most_functions);
    return text;
}

std::string longest_runs(const recorded_trace& seen, unsigned width) {
    struct run {
        const recorded_trace::slice* slice;
        const recorded_trace::thread* thread;
    };
    std::vector<run> all;
    for (const recorded_trace::thread& thread : seen.threads)
        for (const recorded_trace::slice& each : thread.slices)
            if (seen.is(each, "task"))
                all.push_back({&each, &thread});
    const auto shown = static_cast<std::ptrdiff_t>(std::min(all.size(), most_shown_runs));
    std::partial_sort(all.begin(), all.begin() + shown, all.end(), [](const run& one, const run& other) {
        return one.slice->own_us > other.slice->own_us;
    });
    std::string text;
    for (std::ptrdiff_t i = 0; i < shown; ++i) {
        const run& each = all[static_cast<std::size_t>(i)];
        text += cut_to(fmt::format("  {:>9} at {:>9} on {}: {}", duration_text(each.slice->own_us),
                                duration_text(each.slice->begin_us), terminal_text(each.thread->name),
                                   shown_name(seen, each.slice->name)),
                    width) +
                "\n";
    }
    return text.empty() ? text : "\nLongest runs of tasks, without those inside\n" + text;
}

std::string thread_table(const recorded_trace& seen, unsigned width) {
    text_table table({{"thread", false}, {"running", true}, {"searching", true, 1}, {"waiting", true, 2},
                      {"asleep, no work", true, 3}, {"outside", true, 4}, {"steals", true, 5}});
    const auto time_in = [](const recorded_trace::thread& thread, thread_state what) {
        return thread.times_us[static_cast<std::size_t>(what)];
    };
    const auto add = [&](const std::string& name, const recorded_trace::thread& thread, double whole_us) {
        table.add({name, share_text(time_in(thread, thread_state::work), whole_us),
                   share_text(time_in(thread, thread_state::search) + time_in(thread, thread_state::pool), whole_us),
                   share_text(time_in(thread, thread_state::wait), whole_us),
                   share_text(time_in(thread, thread_state::sleep), whole_us),
                   share_text(time_in(thread, thread_state::outside), whole_us),
                   fmt::format("{} of {}", thread.steals, thread.steals_tried)});
    };
    recorded_trace::thread all;
    for (const recorded_trace::thread& each : seen.threads) {
        for (std::size_t what = 0; what < thread_state_count; ++what)
            all.times_us[what] += each.times_us[what];
        all.steals += each.steals;
        all.steals_tried += each.steals_tried;
    }
    for (std::size_t i = 0; i < std::min(seen.threads.size(), most_shown_threads); ++i)
        add(seen.threads[i].name, seen.threads[i], seen.span_us);
    if (seen.threads.size() > most_shown_threads)
        table.add({fmt::format("{} more", seen.threads.size() - most_shown_threads), "", "", "", "", "", ""});
    add("all", all, seen.span_us * static_cast<double>(seen.threads.size()));
    return table.text(width);
}

}  // namespace

std::string trace_summary(const recorded_trace& seen, std::optional<unsigned> width) {
    const unsigned columns = std::max(width.value_or(width_without_terminal), 40U);
    const unsigned of_tables = width ? columns : width_of_all;
    const double mean = seen.span_us > 0 ? time_of(seen, thread_state::work) / seen.span_us : 0;
    std::string text =
        cut_to(fmt::format("Trace of {}: {}, {} threads seen, scheduler {}", terminal_text(seen.program),
                           duration_text(seen.span_us), seen.threads.size(), terminal_text(seen.scheduler)),
               columns) +
        "\n\n";
    text += cut_to(fmt::format("Threads that run tasks, over time: {:.2f} on the mean", mean), columns) + "\n";
    text += parallelism_plot(seen, columns) + "\n";
    text += cut_to("What the threads' time went to; steals: searches that found something", columns) + "\n" +
            thread_table(seen, of_tables) + "\n";
    text += function_table(seen, of_tables);
    text += longest_runs(seen, of_tables);
    if (seen.dropped != 0)
        text += "\n" +
                cut_to(fmt::format("{} events were dropped and {} kept: --events asks for room", seen.dropped,
                                   seen.events),
                       columns) +
                "\n";
    if (seen.threads_left_out != 0)
        text += cut_to(fmt::format("\n{} more threads were not recorded", seen.threads_left_out), columns) + "\n";
    return text;
}

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
