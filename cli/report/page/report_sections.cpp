// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the sections of the report page that only some measurements have; see report_sections.hpp.
#include <cli/report/page/report_sections.hpp>

#include <fmt/format.h>

#include <cli/report/drawing/svg.hpp>
#include <cli/report/graph/task_graph.hpp>
#include <cli/report/hardware_counts.hpp>
#include <cli/report/named_comparison.hpp>
#include <cli/report/page/plots.hpp>
#include <cli/report/page/report_parts.hpp>
#include <cli/report/trace/timeline.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

page_column column_of(const std::string& title) {
    return {title.starts_with("/") ? "to " + title.substr(1) : title, title != best_peer_title};
}

// The program or construct is named in its first line alone.
void add_line(page_table& table, const named_line& line, const std::vector<std::string>& titles,
              const configuration* before) {
    const configuration& what = line.row->what;
    const bool is_first = before == nullptr || !before->same_problem(what);
    const std::string name = markup_text(what.problem.empty() ? what.kernel + " " + what.size_text() : what.problem);
    table.add_row(is_first && before != nullptr ? "first" : "");
    if (is_first)
        table.add(name);
    else
        table.add_again(name);
    table.add_count(what.threads);
    table.add_keyed(colour_class(what), markup_text(fmt::format("{} ({})", scheduling_text(what), what.compiler)));
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
        const named_cell& cell = line.cells[i];
        if (titles[i] == best_peer_title)
            table.add_keyed(cell.text, cell.text == "-" ? "&ndash;" : markup_text(cell.text));
        else
            table.add_number(cell.value ? markup_text(cell.text) : "", cell.value);
    }
}

std::string task_graph_rows(const measurements& results) {
    page_table table("Task graphs", {{"kernel"},
                                     {"size"},
                                     {"runtime"},
                                     {"threads", true},
                                     {"tasks", true},
                                     {"work", true},
                                     {"span", true},
                                     {"parallelism", true},
                                     {"took", true}});
    const configuration* before = nullptr;
    for (const measurement& row : results.rows) {
        if (!row.graph)
            continue;
        const bool is_first = before != nullptr && !before->same_problem(row.what);
        before = &row.what;
        table.add_row(is_first ? "first" : "");
        table.add(markup_text(row.what.kernel));
        table.add(markup_text(row.what.size_text()));
        table.add_keyed(colour_class(row.what), markup_text(series_text(row.what)));
        table.add_count(row.what.threads);
        table.add_count(row.graph->tasks);
        table.add_number(format_seconds(row.graph->work_us / 1e6), row.graph->work_us);
        table.add_number(format_seconds(row.graph->span_us / 1e6), row.graph->span_us);
        table.add_number("<strong>" + number_text(row.graph->parallelism) + "</strong>", row.graph->parallelism);
        table.add_number(format_seconds(row.graph->elapsed_us / 1e6), row.graph->elapsed_us);
    }
    return table.markup();
}

// Says which tasks are missing from the picture or the numbers; empty if none is.
std::string remark_on(const drawn_task_graph& graph) {
    std::string text;
    if (!graph.has_boxes)
        text += "A summary: there are too many tasks to draw each, so the picture has the number of tasks at each "
                "depth, and the critical path by time.";
    if (graph.tasks_left_out > 0)
        text += fmt::format("{}Picture, work and span are of the first {} tasks; {} later ones were not recorded.",
                            text.empty() ? "" : " ", count_text(graph.tasks), count_text(graph.tasks_left_out));
    return text.empty() ? text : "<p class=\"soft\">" + text + "</p>\n";
}

}  // namespace

std::string named_section(const measurements& results, const std::vector<comparison>& comparisons) {
    const named_comparison found = named_comparison_of(results.rows, comparisons);
    if (found.lines.empty())
        return {};
    const bool has_fibers = results.rows.front().what.kind == "threads";
    const bool has_constructs = !has_fibers && results.rows.front().what.has_measures();
    std::string page = fmt::format(
        "<h2>Teff's {} beside the others{}</h2>\n<p class=\"soft\">To {}: the ratio of the same program's times, below "
        "1 means that Teff is faster. The best peer is the fastest other runtime with as many threads, whichever "
        "compiler built its program. Ratios are medians of the ratios within rounds.{}</p>\n",
        has_fibers ? "fibers" : "OpenMP runtime", has_constructs ? ": constructs" : "",
        has_fibers ? "pthread (std::thread), the fibers of Boost, and goroutines" : "libgomp, libomp and libiomp5",
        has_constructs ? " Times are those of one construct, with the little that is inside it." : "");
    std::vector<page_column> columns = {{has_constructs ? "construct" : "kernel"}, {"threads", true}, {"teff"}};
    for (const std::string& title : found.titles)
        columns.push_back(column_of(title));
    page_table table("Teff beside the others", std::move(columns));
    const configuration* before = nullptr;
    for (const named_line& each : found.lines) {
        add_line(table, each, found.titles, before);
        before = &each.row->what;
    }
    return page + table.markup() + mean_table(results.rows, comparisons);
}

std::string timeline_section(const measurements& results) {
    std::string cards;
    for (const measurement& row : results.rows)
        if (row.seen)
            cards += card(markup_text(row.what.text()), timeline_plot(*row.seen, "timeline of " + row.what.text()));
    if (cards.empty())
        return {};
    return "<h2>What the threads did</h2>\n<p class=\"soft\">One more run of each configuration of Teff, which is in "
           "no other number. In each column the height of a colour is its share of the time; beside a row is the share "
           "of work in all of it.</p>\n<div class=\"timelines\">\n" +
           cards + "</div>\n";
}

std::string task_graph_section(const measurements& results) {
    std::string cards;
    for (const measurement& row : results.rows)
        if (row.graph)
            cards += card(markup_text(row.what.text()), remark_on(*row.graph) + row.graph->picture);
    if (cards.empty())
        return {};
    return "<h2>The task graphs</h2>\n<p class=\"soft\">One more run of each configuration of Teff, which is in no "
           "other number: recording makes spawning slower. Work is the sum of the tasks' own times, the span is the "
           "time on any number of threads, and parallelism is work / span: on more threads than this the program does "
           "not become faster. A picture has the tasks in columns by depth, and the critical path in red.</p>\n" +
           task_graph_rows(results) + "<div class=\"graphs\">\n" + cards + "</div>\n";
}

std::string hardware_section(const measurements& results) {
    const hardware_counts found = hardware_counts_of(results.rows);
    const std::vector<std::string> missing = missing_hardware_counts(results.rows);
    if (found.empty() && missing.empty())
        return {};
    std::string page = "<h2>Hardware counters</h2>\n<p class=\"soft\">Of the last run, over all threads, in the timed "
                       "region; events of the processor in user mode.";
    for (const std::string& sentence : missing)
        page += "<br>\n" + markup_text(sentence) + ".";
    page += "</p>\n";
    if (found.empty())
        return page;
    std::vector<page_column> columns = {{"kernel"}, {"size"}, {"runtime"}, {"threads", true}};
    for (const std::string& title : found.titles)
        columns.push_back({title, true});
    page_table table("Hardware counters", std::move(columns));
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        const configuration& what = found.rows[i]->what;
        const bool is_first = i > 0 && !found.rows[i - 1]->what.same_problem(what);
        table.add_row(fmt::format("{}{}", is_first ? "first " : "", is_teff(what.runtime) ? "teff" : ""));
        table.add(markup_text(what.kernel));
        table.add(markup_text(what.size));
        table.add_keyed(colour_class(what), markup_text(series_text(what)));
        table.add_count(what.threads);
        for (std::size_t k = 0; k < found.cells[i].size(); ++k)
            table.add_number(found.values[i][k] ? markup_text(found.cells[i][k]) : "", found.values[i][k]);
    }
    return page + table.markup();
}

}  // namespace teff::cli
