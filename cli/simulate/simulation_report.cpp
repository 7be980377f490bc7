// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tables and the page about simulations; see simulation_report.hpp.
#include <cli/simulate/simulation_report.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <teff/version.hpp>

#include <cli/report/drawing/line_plot.hpp>
#include <cli/report/drawing/text_table.hpp>
#include <cli/report/page/plots.hpp>
#include <cli/report/page/report_parts.hpp>
#include <cli/report/page/report_script.hpp>
#include <cli/shown_text.hpp>
#include <cli/simulate/machine_file.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

// The costs were compared with real machines of one socket without SMT, up to this number of threads.
constexpr unsigned compared_threads = 16;

std::string percentage(double share) { return fmt::format("{:.1f}", 100 * share); }

bool has_far_lines(const std::vector<const simulated_row*>& rows) {
    return std::any_of(rows.begin(), rows.end(),
                       [](const simulated_row* row) { return row->far_lines_per_task > 0; });
}

std::vector<column> columns_for(const std::vector<const simulated_row*>& rows) {
    // With one socket the columns of other sockets go first.
    constexpr unsigned first_to_go = 100;
    const bool has_far = has_far_lines(rows);
    std::vector<column> columns = {{"scheduler", false, 3, true}, {"threads", true},      {"ms", true},
                                   {"ns/task", true, 4},          {"speedup", true}};
    // The causes that come last in the simulator's order go before the others.
    unsigned rank = 6;
    for (const auto& [cause, share] : rows.front()->shares) {
        columns.push_back({title_of_cause(cause) + " %", true, cause == "far_line" && !has_far ? first_to_go : rank});
        ++rank;
    }
    columns.push_back({"runtime %", true, 5});
    columns.push_back({"near/task", true, 2});
    columns.push_back({"far/task", true, has_far ? 1 : first_to_go});
    return columns;
}

std::vector<std::string> cells_of(const simulated_row& row, const simulated_row& first) {
    std::vector<std::string> cells = {row.what.scheduling(), fmt::format("{}", row.what.threads),
                                      fmt::format("{:.4f}", row.seconds * 1e3), fmt::format("{:.2f}", row.ns_per_task),
                                      row.speedup ? fmt::format("{:.2f}", *row.speedup) : "-"};
    for (std::size_t i = 0; i < first.shares.size(); ++i)
        cells.push_back(i < row.shares.size() ? percentage(row.shares[i].second) : "-");
    cells.push_back(percentage(runtime_share(row)));
    cells.push_back(fmt::format("{:.4f}", row.near_lines_per_task));
    cells.push_back(fmt::format("{:.4f}", row.far_lines_per_task));
    return cells;
}

}  // namespace

std::string simulation_table(const std::vector<const simulated_row*>& rows, std::optional<unsigned> width) {
    const simulated_row& first = *rows.front();
    text_table table(columns_for(rows));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (i > 0 && !rows[i]->what.same_line(rows[i - 1]->what))
            table.add_gap();
        table.add(cells_of(*rows[i], first));
    }
    return fmt::format("{} {}, size {} ({}): {} tasks\n\n{}", terminal_text(first.what.kernel),
                       terminal_text(first.what.face), first.what.size, terminal_text(first.what.size_is), first.tasks,
                       table.text(width));
}

std::string line_table(const std::vector<const simulated_row*>& rows, std::optional<unsigned> width) {
    const unsigned threads = most_simulated_threads(rows);
    text_table table(
        {{"scheduler", false, 1, true}, {"place", false}, {"lines/task", true}, {"ns waited for one", true, 2}});
    bool is_empty = true;
    for (const simulated_row* row : rows) {
        if (row->what.threads != threads || row->sites.empty())
            continue;
        if (!is_empty)
            table.add_gap();
        is_empty = false;
        for (const line_site& site : row->sites)
            table.add({row->what.scheduling(), site.where, fmt::format("{:.4f}", site.per_task),
                       fmt::format("{:.1f}", site.waited_ns)});
    }
    if (is_empty)
        return {};
    return fmt::format("places that make cache lines move, {} thread{}\n\n{}", threads, threads == 1 ? "" : "s",
                       table.text(width));
}

bool is_within_comparison(const simulator::machine& on, unsigned most_threads) {
    return on.sockets() == 1 && on.threads_per_core() == 1 && most_threads <= compared_threads;
}

std::string simulated_sentence(const simulator::machine& on, unsigned most_threads,
                               const simulate_settings& settings) {
    std::string text = fmt::format("simulated: {} ({}), seed {}", described(on), on.name(), settings.seed);
    if (settings.runs > 1)
        text += fmt::format(", mean of {} runs", settings.runs);
    text += "; times are virtual";
    if (!is_within_comparison(on, most_threads))
        text += fmt::format("\nThis is outside of what was compared with real machines: one socket without SMT, up to "
                            "{} threads.",
                            compared_threads);
    return text + "\n";
}

std::string skipped_list(const std::vector<skipped_simulation>& skipped) {
    std::string text;
    for (const skipped_simulation& each : skipped)
        text += fmt::format("  {}: {}\n", terminal_text(each.what.text()), terminal_text(each.reason));
    return text;
}

namespace {

// The colour that the scheduler has in every report.
std::string colour_of(const simulation& what) {
    configuration shown;
    shown.runtime = "teff";
    shown.scheduler = what.scheduler;
    shown.tracker = what.tracker;
    return colour_class(shown);
}

// A line for each scheduler and tracker, of the values that a row has.
template <class Value>
std::vector<plot_line> lines_by_scheduler(const std::vector<const simulated_row*>& rows, const Value& value) {
    std::vector<plot_line> lines;
    const simulated_row* before = nullptr;
    for (const simulated_row* row : rows) {
        if (before == nullptr || !before->what.same_line(row->what))
            lines.push_back({row->what.scheduling(), colour_of(row->what)});
        before = row;
        const std::optional<double> found = value(*row);
        if (!found)
            continue;
        lines.back().points.push_back(
            {static_cast<double>(row->what.threads), *found,
             fmt::format("{}: {}, speed-up {}", row->what.text(), format_seconds(row->seconds),
                         row->speedup ? fmt::format("{:.2f}", *row->speedup) : "unknown")});
    }
    return lines;
}

std::string program_table(const std::vector<const simulated_row*>& rows) {
    const simulated_row& first = *rows.front();
    std::vector<page_column> columns = {{"scheduler"}};
    for (const char* title : {"threads", "time", "ns/task", "speed-up"})
        columns.push_back({title, true});
    for (const auto& [cause, share] : first.shares)
        columns.push_back({title_of_cause(cause), true});
    for (const char* title : {"runtime", "near/task", "far/task"})
        columns.push_back({title, true});
    page_table table(fmt::format("{} {}", first.what.kernel, first.what.face), std::move(columns));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const simulated_row& row = *rows[i];
        table.add_row(i > 0 && !row.what.same_line(rows[i - 1]->what) ? "first" : "");
        table.add_keyed(colour_of(row.what), markup_text(row.what.scheduling()));
        table.add_count(row.what.threads);
        table.add_number(format_seconds(row.seconds), row.seconds);
        table.add_number(fmt::format("{:.2f}", row.ns_per_task), row.ns_per_task);
        table.add_number(row.speedup ? fmt::format("<strong>{:.2f}</strong>", *row.speedup) : "", row.speedup);
        for (std::size_t k = 0; k < first.shares.size(); ++k) {
            const auto share = k < row.shares.size() ? std::optional(100 * row.shares[k].second) : std::nullopt;
            table.add_number(share ? fmt::format("{:.1f}", *share) : "", share);
        }
        table.add_number(fmt::format("{:.1f}", 100 * runtime_share(row)), runtime_share(row));
        table.add_number(fmt::format("{:.4f}", row.near_lines_per_task), row.near_lines_per_task);
        table.add_number(fmt::format("{:.4f}", row.far_lines_per_task), row.far_lines_per_task);
    }
    return "<h3>Times; shares of the threads&#8217; time in %, from work to runtime; cache lines that moved within a "
           "socket (near) and between sockets (far)</h3>\n" +
           table.markup();
}

std::string place_table(const std::vector<const simulated_row*>& rows) {
    page_table table("Places that make cache lines move",
                     {{"scheduler"}, {"place"}, {"lines per task", true}, {"waited for one, ns", true}});
    const unsigned threads = most_simulated_threads(rows);
    for (const simulated_row* row : rows) {
        for (const line_site& site : row->sites) {
            if (row->what.threads != threads)
                break;
            table.add_row(&site == row->sites.data() && !table.is_empty() ? "first" : "");
            table.add_keyed(colour_of(row->what), markup_text(row->what.scheduling()));
            table.add("<code>" + markup_text(site.where) + "</code>");
            table.add_number(fmt::format("{:.4f}", site.per_task), site.per_task);
            table.add_number(fmt::format("{:.1f}", site.waited_ns), site.waited_ns);
        }
    }
    if (table.is_empty())
        return {};
    return fmt::format("<h3>Places that make cache lines move, {} thread{}</h3>\n", threads, threads == 1 ? "" : "s") +
           table.markup();
}

std::string program_section(const std::vector<const simulated_row*>& rows) {
    const simulated_row& first = *rows.front();
    return fmt::format("<h2>{} {} <span class=\"soft\">{} ({}), {} tasks</span></h2>\n<div class=\"pair\">\n",
                       markup_text(first.what.kernel), markup_text(first.what.face), first.what.size,
                       markup_text(first.what.size_is), count_text(first.tasks)) +
           card("Speed-up over the same scheduler on one thread", simulated_speedup_plot(rows)) +
           card("Time, virtual", simulated_time_plot(rows)) + "</div>\n" + program_table(rows) + place_table(rows);
}

const char* unit_of(std::string_view cost) {
    return cost == "smt" ? " times" : cost.ends_with("_kib") ? " KiB" : " ns";
}

std::string cost_list(const simulator::machine& on) {
    std::string page = "<div class=\"card facts\"><dl>\n";
    for (const auto& [name, value] : on.prices_by_name())
        page += fmt::format("<dt>{}</dt><dd>{:g}{}</dd>\n", markup_text(name), value, unit_of(name));
    return page + "</dl></div>\n";
}

std::string skipped_section(const simulations& results) {
    if (results.skipped.empty())
        return {};
    page_table table("Skipped", {{"what"}, {"why"}});
    for (const skipped_simulation& each : results.skipped) {
        table.add_row();
        table.add(markup_text(each.what.text()));
        table.add(markup_text(each.reason), "wide");
    }
    return "<h2>Skipped</h2>\n" + table.markup();
}

}  // namespace

std::string simulation_words(const simulate_settings& settings, unsigned most_threads) {
    const simulator::machine& on = settings.on;
    std::string text = fmt::format(
        "Teff's own sources were run on a simulated machine of {} ({} processors), on up to {} thread{}. No clock was "
        "read: all times are virtual, the sums of what the simulator counts for each operation. To get a cache line "
        "costs {:g} ns from a core of the same socket",
        described(on), on.processors(), most_threads, most_threads == 1 ? "" : "s", on.prices().near_line);
    if (on.sockets() > 1)
        text += fmt::format(" and {:g} ns from another one", on.prices().far_line);
    text += fmt::format("; a read-modify-write of a line that the core has costs {:g} ns; to wake a sleeping thread "
                        "costs {:g} ns, and it runs {:g} ns later. All costs are in the list below. ",
                        on.prices().modify, on.prices().wake, on.prices().wake_delay);
    text += settings.runs == 1
                ? fmt::format("The results are those of one run with the seed {}; another seed gives other ones.",
                              settings.seed)
                : fmt::format("The results are means of {} runs, all with the seed {}; another seed gives other ones.",
                              settings.runs, settings.seed);
    if (!is_within_comparison(on, most_threads))
        text += " This is outside of what was compared with real machines.";
    return text;
}

std::string simulated_speedup_plot(const std::vector<const simulated_row*>& rows) {
    line_axes axes{"speed-up over threads, by scheduler", "threads"};
    axes.shows_one = true;
    return line_plot(lines_by_scheduler(rows, [](const simulated_row& row) { return row.speedup; }), axes);
}

std::string simulated_time_plot(const std::vector<const simulated_row*>& rows) {
    line_axes axes{"time over threads, by scheduler", "threads", "milliseconds"};
    axes.least = 1e-6;  // below any time; makes the axis logarithmic
    const auto milliseconds = [](const simulated_row& row) { return std::optional(row.seconds * 1e3); };
    return line_plot(lines_by_scheduler(rows, milliseconds), axes);
}

std::string simulation_page(const simulate_settings& settings, const simulations& results,
                            const std::string& command_line) {
    const auto programs = by_program(results.rows);
    unsigned most_threads = settings.threads.back();
    for (const auto& rows : programs)
        most_threads = std::max(most_threads, most_simulated_threads(rows));
    std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>Teff: simulated programs</title>\n<style>" +
                       page_style() + "</style></head>\n<body><main>\n<h1>Simulated programs</h1>\n";
    page += fmt::format("<p class=\"soft\">Teff {} &middot; <code>{}</code></p>\n", TEFF_VERSION_STRING,
                        markup_text(command_line));
    page += "<p>" + markup_text(simulation_words(settings, most_threads)) + "</p>\n";
    if (results.partial)
        page += "<p class=\"notice\">The simulations were interrupted: some rows are missing.</p>\n";
    page += cost_list(settings.on);
    for (const auto& rows : programs)
        page += program_section(rows);
    return page + skipped_section(results) + "</main>\n<script>" + report_script + "</script></body></html>\n";
}

}  // namespace teff::cli
