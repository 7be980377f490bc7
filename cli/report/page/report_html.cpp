// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing the report page; see report_html.hpp.
#include <cli/report/page/report_html.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/report/comparison.hpp>
#include <cli/report/drawing/svg.hpp>
#include <cli/report/page/micro_plots.hpp>
#include <cli/report/page/plots.hpp>
#include <cli/report/page/report_parts.hpp>
#include <cli/report/page/report_script.hpp>
#include <cli/report/page/report_sections.hpp>
#include <cli/report/results.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

std::string plain(const nlohmann::ordered_json& value) {
    if (value.is_null())
        return "unknown";
    return value.is_string() ? value.get<std::string>() : json_text(value);
}

void add_fact(std::string& page, const std::string& name, const std::string& text) {
    page += fmt::format("<dt>{}</dt><dd>{}</dd>\n", markup_text(name), markup_text(text));
}

std::string machine_section(const nlohmann::ordered_json& machine) {
    std::string page = "<div class=\"card facts\"><dl>\n";
    for (const auto& [name, value] : machine.items()) {
        if (name == "command" || name == "date")
            continue;
        if (name == "memory_bytes") {
            add_fact(page, "memory", format_bytes(value.get<std::uint64_t>()));
        } else if (name == "peers") {
            for (const auto& [peer, facts] : value.items())
                add_fact(page, peer, fmt::format("{} ({})", plain(facts["version"]), plain(facts["library"])));
        } else if (value.is_object()) {
            for (const auto& [part, text] : value.items())
                add_fact(page, part, plain(text));
        } else {
            add_fact(page,
                     name == "default_threads"                    ? "default threads"
                     : name == "delay_iterations_per_microsecond" ? "delay loop / us"
                                                                  : name,
                     plain(value));
        }
    }
    return page + "</dl></div>\n";
}

void add_ratio(page_table& table, const std::optional<paired_ratio>& ratio) {
    table.add_number(ratio ? fmt::format("{:.3f}", ratio->median) : "",
                     ratio ? std::optional(ratio->median) : std::nullopt);
}

// The median ratio, with the interval of the ratios within rounds if one of the two rows is noisy.
void add_peer_ratio(page_table& table, const std::optional<paired_ratio>& ratio, bool is_noisy) {
    if (!ratio)
        return table.add_number("", std::nullopt);
    std::string text;
    if (is_noisy && ratio->pairs > 1)
        text = fmt::format("<span class=\"noisy\">{:.3f} to {:.3f}</span> ", ratio->least, ratio->most);
    table.add_number(text + fmt::format("<strong>{:.3f}</strong>", ratio->median), ratio->median);
}

// Adds the name of the row's problem. While the table is unsorted, only the problem's first row shows it.
void add_problem(page_table& table, const std::string& name, bool is_first) {
    if (is_first)
        table.add(markup_text(name));
    else
        table.add_again(markup_text(name));
}

std::string peer_section(const measurements& results, const std::vector<comparison>& comparisons) {
    if (results.rows.front().what.kind == "openmp")
        return named_section(results, comparisons);
    page_table table("Teff beside the best peer", {{"kernel"},
                                                   {"threads", true},
                                                   {"teff"},
                                                   {"time", true},
                                                   {"best peer"},
                                                   {"time of the peer", true},
                                                   {"ratio to peer", true},
                                                   {"to serial", true},
                                                   {"to stack", true}});
    const configuration* before = nullptr;
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const measurement& row = results.rows[i];
        const comparison& beside = comparisons[i];
        if (!is_teff(row.what.runtime) || beside.best_peer == nullptr)
            continue;
        const bool is_first = before == nullptr || !before->same_problem(row.what);
        before = &row.what;
        table.add_row(is_first ? "first" : "");
        add_problem(table, row.what.kernel + " " + row.what.size_text(), is_first);
        table.add_count(row.what.threads);
        table.add_keyed(colour_class(row.what), markup_text(series_text(row.what)));
        add_time(table, row);
        table.add_keyed(colour_class(beside.best_peer->what), markup_text(series_text(beside.best_peer->what)));
        add_time(table, *beside.best_peer);
        add_peer_ratio(table, beside.to_best_peer, row.is_noisy() || beside.best_peer->is_noisy());
        add_ratio(table, beside.to_serial);
        add_ratio(table, beside.to_stack);
    }
    if (table.is_empty())
        return {};
    return "<h2>Teff beside the best peer</h2>\n<p class=\"soft\">The best peer is the fastest other runtime with as "
           "many threads, whichever variant and compiler that is. Ratios are medians of the ratios within rounds; "
           "below 1 means that Teff is faster. Serial and stack are the plain recursion and a loop over a vector, on "
           "one thread. " +
           std::string(noise_sentence) + "</p>\n" + table.markup() + mean_table(results.rows, comparisons);
}

std::string overview_section(const measurements& results, const std::vector<comparison>& comparisons) {
    const std::string ratios = card("Time beside the serial recursion (left is better)",
                                    ratio_overview(results.rows, comparisons));
    const std::string costs = card("Cost of a task (left is better)", cost_overview(results.rows));
    if (ratios.empty() && costs.empty())
        return {};
    return "<h2>All kernels</h2>\n<p class=\"soft\">Each runtime at its best: the faster of its variants and "
           "compilers.</p>\n<div class=\"pair\">\n" +
           ratios + costs + "</div>\n";
}

std::string kernel_section(const measurements& results, const std::vector<comparison>& comparisons,
                           const configuration& problem) {
    std::vector<const measurement*> rows;
    std::vector<const comparison*> beside;
    unsigned threads = 1;
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        if (!results.rows[i].what.same_problem(problem))
            continue;
        rows.push_back(&results.rows[i]);
        beside.push_back(&comparisons[i]);
        threads = std::max(threads, results.rows[i].what.threads);
    }
    return fmt::format("<h2>{} <span class=\"soft\">{}, {} tasks</span></h2>\n<div class=\"pair\">\n",
                       markup_text(problem.kernel), markup_text(problem.size_text()), count_text(rows.front()->tasks)) +
           card(fmt::format("Time with {} thread{} (line: least to most)", threads, threads == 1 ? "" : "s"),
                time_plot(rows, results.skipped)) +
           card("Speed-up over the serial recursion of the same compiler", speedup_plot(rows, beside)) + "</div>\n";
}

// Plots the time against the cut-off, with all cut-offs of one kernel and size in one section.
std::string sweep_section(const measurements& results, const configuration& any) {
    std::vector<const measurement*> rows;
    for (const measurement& row : results.rows)
        if (row.what.in_sweep && row.what.kernel == any.kernel && row.what.size == any.size)
            rows.push_back(&row);
    const unsigned threads = most_threads(rows);
    figure over_cutoff;
    over_cutoff.title = fmt::format("Time by cut-off with {} thread{}", threads, threads == 1 ? "" : "s");
    over_cutoff.measured = "seconds";
    over_cutoff.measured_title = "seconds";
    over_cutoff.across = "cutoff";
    over_cutoff.across_title = "cut-off";
    over_cutoff.least = 1e-9;  // below any time; makes the axis logarithmic
    std::string page = fmt::format("<h2>{} <span class=\"soft\">{}, by cut-off</span></h2>\n<p class=\"soft\">Each "
                                   "runtime at its best: the faster of its compilers. Points are medians of the "
                                   "runs.</p>\n<div class=\"pictures\">\n",
                                   markup_text(any.kernel), markup_text(any.size));
    for (const titled_picture& each : micro_plots(rows, {{}, {}, {over_cutoff}}))
        page += card(markup_text(each.title), each.markup);
    return page + "</div>\n";
}

// A section for each problem, and one for all problems of a sweep.
std::string kernel_sections(const measurements& results, const std::vector<comparison>& comparisons) {
    std::string page;
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const configuration& what = results.rows[i].what;
        const configuration* const before = i == 0 ? nullptr : &results.rows[i - 1].what;
        if (before != nullptr && before->same_problem(what))
            continue;
        if (!what.in_sweep)
            page += kernel_section(results, comparisons, what);
        else if (before == nullptr || before->kernel != what.kernel || before->size != what.size)
            page += sweep_section(results, what);
    }
    return page;
}

std::string micro_cards(const measurements& results, const std::string& kernel, const presentation& shown) {
    std::vector<const measurement*> rows;
    for (const measurement& row : results.rows)
        if (row.what.kernel == kernel)
            rows.push_back(&row);
    std::string page;
    for (const titled_picture& each : micro_plots(rows, shown))
        page += card(fmt::format("<code>{}</code> {}", markup_text(kernel), markup_text(each.title)), each.markup);
    return page;
}

std::string micro_section(const measurements& results, const presentations& shown) {
    const std::string& kind = results.rows.front().what.kind;
    std::string page = fmt::format("<h2>{}</h2>\n", kind == "micro"     ? "Micro-benchmarks"
                                                    : kind == "openmp"  ? "Constructs"
                                                    : kind == "threads" ? "Threads"
                                                                        : "Dataflow");
    page += "<p class=\"soft\">Each runtime at its best: the faster of its compilers. Points and level lines are "
            "medians of the runs; a box spans the quartiles over all workers and runs, its line reaches from least to "
            "most.</p>\n<div class=\"pictures\">\n";
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const std::string& kernel = results.rows[i].what.kernel;
        if (i > 0 && results.rows[i - 1].what.kernel == kernel)
            continue;
        if (const auto found = shown.find(kernel); found != shown.end())
            page += micro_cards(results, kernel, found->second);
    }
    return page + "</div>\n";
}

// The headline number of a micro-benchmark, and its title.
void add_headline(page_table& table, const measurement& row, const presentations& shown) {
    const auto found = shown.find(row.what.kernel);
    const auto value = found == shown.end() ? std::nullopt : found_median(row, found->second.headline);
    table.add_number(value ? number_text(*value) : "", value);
    table.add(value ? markup_text(found->second.headline_title) : "");
}

void add_cost(page_table& table, const measurement& row) {
    if (row.tasks == 0)
        return table.add_number("", std::nullopt);
    const double cost_ns = row.median_seconds() * 1e9 / static_cast<double>(row.tasks);
    table.add_number(fmt::format("{:.2f}", cost_ns), cost_ns);
}

void add_spread(page_table& table, const measurement& row) {
    const double spread = row.spread();
    const std::string text = fmt::format("{:.0f}&#8239;%", 100 * spread);
    table.add_number(row.is_noisy() ? "<span class=\"noisy\">noisy " + text + "</span>" : text, spread);
}

std::string row_section(const measurements& results, const std::vector<comparison>& comparisons,
                        const presentations& shown) {
    const bool has_measures = results.rows.front().what.has_measures();
    std::vector<page_column> columns = {{"kernel"}, {"size"}, {"runtime"}};
    for (const char* title : {"threads", "median", "min", "max", "spread", "runs"})
        columns.push_back({title, true});
    if (has_measures)
        columns.insert(columns.end(), {{"found", true}, {"what was found"}});
    else
        columns.insert(columns.end(), {{"ns per task", true}, {"to serial", true}});
    columns.push_back({"to best peer", true});
    page_table table("All rows", std::move(columns));
    for (std::size_t i = 0; i < results.rows.size(); ++i) {
        const measurement& row = results.rows[i];
        const five_number_summary seconds = quartiles(seconds_of(row.runs));
        const bool is_first = i == 0 || !results.rows[i - 1].what.same_problem(row.what);
        table.add_row(fmt::format("{}{}", is_first && i > 0 ? "first " : "", is_teff(row.what.runtime) ? "teff" : ""));
        table.add(markup_text(row.what.kernel));
        table.add(markup_text(row.what.size_text()));
        table.add_keyed(colour_class(row.what), markup_text(series_text(row.what)));
        table.add_count(row.what.threads);
        for (const double value : {seconds.middle, seconds.least, seconds.most})
            table.add_number(format_seconds(value), value);
        add_spread(table, row);
        table.add_count(row.runs.size());
        if (has_measures) {
            add_headline(table, row, shown);
        } else {
            add_cost(table, row);
            add_ratio(table, comparisons[i].to_serial);
        }
        add_ratio(table, comparisons[i].to_best_peer);
    }
    return "<details open><summary>All rows</summary>\n<p class=\"soft\">Spread is the distance between the least and "
           "the most, as a part of the median; above 10 % a row is noisy.</p>\n" +
           table.markup() + "</details>\n";
}

std::string rank_sum_section(const measurements& results) {
    if (results.rank_sums.empty())
        return {};
    page_table table("Rank sum tests", {{"kernel"},
                                        {"threads", true},
                                        {"first"},
                                        {"median of the first", true},
                                        {"second"},
                                        {"median of the second", true},
                                        {"W", true},
                                        {"p", true}});
    const configuration* before = nullptr;
    for (const tested_pair& each : results.rank_sums) {
        const measurement &first = results.rows[each.first], &second = results.rows[each.second];
        const bool is_first = before == nullptr || !before->same_problem(first.what);
        table.add_row(is_first && before != nullptr ? "first" : "");
        before = &first.what;
        add_problem(table, first.what.kernel + " " + first.what.problem_text(), is_first);
        table.add_count(first.what.threads);
        for (const measurement* row : {&first, &second}) {
            const double middle = median(seconds_of(row->compared_runs()));
            table.add_keyed(colour_class(row->what), markup_text(series_text(row->what)));
            table.add_number(row->what.compared.empty() ? format_seconds(middle) : number_text(middle), middle);
        }
        table.add_number(fmt::format("{:g}", each.found.w), each.found.w);
        const std::string text = fmt::format("{:.3g}", each.found.p);
        table.add_number(each.found.p < significance_level ? "<strong>" + text + "</strong>" : text, each.found.p);
    }
    return fmt::format("<h2>Which of them differ</h2>\n<p class=\"soft\">Wilcoxon's rank sum test of each two "
                       "configurations of the same work, threads and compiler, two-sided. W is in how many pairs of "
                       "runs the first takes longer. A p below {} is in bold: the times differ. One pair in {:.0f} "
                       "that do not differ is expected to have such a p.</p>\n",
                       significance_level, 1 / significance_level) +
           table.markup();
}

std::string skip_section(const measurements& results) {
    if (results.skipped.empty())
        return {};
    page_table table("Skipped", {{"what"}, {"why"}, {"takes at least", true}});
    std::vector<std::string> lines;
    for (const skip& each : results.skipped) {
        const std::string name = each.what.variant.empty() ? each.what.runtime : each.what.text();
        if (std::find(lines.begin(), lines.end(), name + each.reason) != lines.end())
            continue;
        lines.push_back(name + each.reason);
        table.add_row();
        table.add(markup_text(name));
        table.add(markup_text(each.reason), "wide");
        table.add_number(each.lower_bound_seconds ? fmt::format("{:g} s", *each.lower_bound_seconds) : "",
                         each.lower_bound_seconds);
    }
    return "<h2>Skipped</h2>\n" + table.markup();
}

}  // namespace

std::string report_html(const nlohmann::ordered_json& machine, const measurements& results,
                        const presentations& shown) {
    std::string page = "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                       "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                       "<title>Teff: task runtimes side by side</title>\n<style>" +
                       std::string(timeline_style) + task_graph_style + page_style() +
                       "</style></head>\n<body><main>\n<h1>Task runtimes side by side</h1>\n";
    page += fmt::format("<p class=\"soft\">{} &middot; <code>{}</code></p>\n",
                        markup_text(plain(machine.value("date", nlohmann::ordered_json()))),
                        markup_text(plain(machine.value("command", nlohmann::ordered_json()))));
    if (results.partial)
        page += "<p class=\"notice\">The measurement was interrupted: rows may have fewer runs than was asked for, and "
                "configurations without a run are missing.</p>\n";
    page += machine_section(machine);
    const measurements programs = results.part(false);
    const measurements measured = results.part(true);
    const std::vector<comparison> program_comparisons = compare(programs.rows);
    const std::vector<comparison> measured_comparisons = compare(measured.rows);
    if (!programs.rows.empty()) {
        page += overview_section(programs, program_comparisons);
        page += peer_section(programs, program_comparisons);
        page += kernel_sections(programs, program_comparisons);
    }
    if (!measured.rows.empty()) {
        page += micro_section(measured, shown);
        if (const std::string& kind = measured.rows.front().what.kind; kind == "openmp" || kind == "threads")
            page += named_section(measured, measured_comparisons);
    }
    if (!results.rows.empty()) {
        page += timeline_section(results);
        page += task_graph_section(results);
        if (!programs.rows.empty())
            page += row_section(programs, program_comparisons, shown);
        if (!measured.rows.empty())
            page += row_section(measured, measured_comparisons, shown);
        page += rank_sum_section(results);
        page += hardware_section(results);
    }
    return page + skip_section(results) + "</main>\n<script>" + report_script + "</script></body></html>\n";
}

}  // namespace teff::cli
