// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the section of the report page with named runtimes; see report_named.hpp.
#include <cli/report/report_named.hpp>

#include <fmt/format.h>

#include <cli/report/named_comparison.hpp>
#include <cli/report/plots.hpp>
#include <cli/report/report_parts.hpp>
#include <cli/report/svg.hpp>

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

}  // namespace teff::cli
