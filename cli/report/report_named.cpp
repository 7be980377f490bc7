// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See report_named.hpp.
#include <cli/report/report_named.hpp>

#include <fmt/format.h>

#include <cli/report/named_comparison.hpp>
#include <cli/report/plots.hpp>
#include <cli/report/report_parts.hpp>
#include <cli/report/svg.hpp>

namespace teff::cli {

namespace {

std::string title_cell(const std::string& title) {
    return fmt::format("<th{}>{}</th>", title == best_peer_title ? "" : " class=\"number\"",
                       title.starts_with("/") ? "to " + title.substr(1) : title);
}

std::string value_cell(const std::string& title, const std::string& value) {
    const std::string text = value == "-" ? "&ndash;" : escaped(value);
    return title == best_peer_title ? fmt::format("<td><span class=\"key fill-{}\"></span>{}</td>", value, text)
                                      : number_cell(text);
}

// The program or construct is named in its first line alone.
std::string line_of(const named_line& line, const std::vector<std::string>& titles, const configuration* before) {
    const configuration& what = line.row->what;
    const bool is_first = before == nullptr || !before->same_problem(what);
    const std::string name = what.problem.empty() ? what.kernel + " " + what.size_text() : what.problem;
    std::string page = fmt::format("<tr{}><td>{}</td>", is_first && before != nullptr ? " class=\"first\"" : "",
                                   is_first ? escaped(name) : "");
    page += number_cell(fmt::format("{}", what.threads));
    page += fmt::format("<td><span class=\"key fill-{}\"></span>{}</td>", colour_class(what),
                        escaped(fmt::format("{} ({})", scheduling_text(what), what.compiler)));
    for (std::size_t i = 0; i < line.cells.size(); ++i)
        page += value_cell(titles[i], line.cells[i]);
    return page + "</tr>\n";
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
        "compiler built its program. Ratios are medians of the ratios within rounds.{}</p>\n<div class=\"card "
        "scroll\"><table><tr><th>{}</th><th class=\"number\">threads</th><th>teff</th>",
        has_fibers ? "fibers" : "OpenMP runtime", has_constructs ? ": constructs" : "",
        has_fibers ? "pthread (std::thread), the fibers of Boost, and goroutines" : "libgomp, libomp and libiomp5",
        has_constructs ? " Times are those of one construct, with the little that is inside it." : "",
        has_constructs ? "construct" : "kernel");
    for (const std::string& title : found.titles)
        page += title_cell(title);
    page += "</tr>\n";
    const configuration* before = nullptr;
    for (const named_line& each : found.lines) {
        page += line_of(each, found.titles, before);
        before = &each.row->what;
    }
    std::string means;
    for (const std::string& sentence : mean_sentences(results.rows, comparisons))
        means += escaped(sentence) + "<br>\n";
    return page + "</table></div>\n<p class=\"soft\">" + means + "</p>\n";
}

}  // namespace teff::cli
