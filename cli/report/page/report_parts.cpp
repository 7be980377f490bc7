// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the markup of the parts of the report page; see report_parts.hpp.
#include <cli/report/page/report_parts.hpp>

#include <utility>

#include <fmt/format.h>

#include <cli/report/comparison.hpp>
#include <cli/report/drawing/svg.hpp>
#include <cli/report/page/plots.hpp>
#include <cli/report/page/report_style.hpp>
#include <cli/report/results.hpp>
#include <cli/text.hpp>

namespace teff::cli {

const char* const noise_sentence =
    "A row is marked as noisy if its runs are further apart than 10 % of their median; beside it is the interval from "
    "the least to the most.";

std::string page_style() {
    std::string style = report_style;
    for (const char* name : coloured_names)
        style += fmt::format(".fill-{0} {{ fill: var(--c-{0}); background: var(--c-{0}); }} "
                             ".stroke-{0} {{ stroke: var(--c-{0}); }}\n",
                             name);
    return style;
}

std::string scrolling_card(const std::string& title, const std::string& name, const std::string& content) {
    return fmt::format("<div class=\"card\">{}<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n"
                       "{}</div><p class=\"hint\">Scroll sideways to see the rest &rarr;</p></div>\n",
                       title.empty() ? title : "<h3>" + title + "</h3>\n", markup_text(name), content);
}

std::string card(const std::string& title, const std::string& picture) {
    return picture.empty() ? std::string{} : scrolling_card(title, "picture", picture);
}

page_table::page_table(std::string name, std::vector<page_column> columns)
    : name_(std::move(name)), columns_(std::move(columns)) {}

void page_table::add_row(const std::string& style) {
    rows_ += is_empty() ? "" : "</tr>\n";
    rows_ += style.empty() ? "<tr>" : fmt::format("<tr class=\"{}\">", style);
}

void page_table::add(const std::string& text, const std::string& style) {
    rows_ += style.empty() ? fmt::format("<td>{}</td>", text) : fmt::format("<td class=\"{}\">{}</td>", style, text);
}

void page_table::add_again(const std::string& text) { add("<span class=\"again\">" + text + "</span>"); }

void page_table::add_number(const std::string& text, std::optional<double> value) {
    rows_ += fmt::format("<td class=\"number\" data-value=\"{}\">{}</td>", value ? fmt::format("{:.9g}", *value) : "",
                         text.empty() ? "&ndash;" : text);
}

void page_table::add_count(unsigned long long value) {
    add_number(count_text(value), static_cast<double>(value));
}

void page_table::add_keyed(const std::string& colour, const std::string& text) {
    add(fmt::format("<span class=\"key fill-{}\"></span>{}", markup_text(colour), text));
}

std::string page_table::markup() const {
    std::string heads;
    for (const page_column& each : columns_)
        heads += fmt::format("<th{}>{}</th>", each.is_number ? " class=\"number\"" : "",
                             each.title.empty()
                                 ? each.title
                                 : fmt::format("<button type=\"button\">{}</button>", markup_text(each.title)));
    return scrolling_card({}, name_,
                          "<table><thead><tr>" + heads + "</tr></thead>\n<tbody>" + rows_ +
                              (is_empty() ? "" : "</tr>") + "</tbody></table>\n");
}

std::string count_text(unsigned long long count) {
    std::string digits = fmt::format("{}", count);
    for (std::size_t i = digits.size(); i > 3; i -= 3)
        digits.insert(i - 3, "&#8239;");
    return digits;
}

void add_time(page_table& table, const measurement& row) {
    // The number comes last, so that numbers are below each other.
    std::string text;
    if (row.is_noisy()) {
        const five_number_summary all = quartiles(seconds_of(row.runs));
        text = fmt::format("<span class=\"noisy\">noisy, {} to {}</span> ", format_seconds(all.least),
                           format_seconds(all.most));
    }
    table.add_number(text + format_seconds(row.median_seconds()), row.median_seconds());
}

std::string mean_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    page_table table("Geometric means",
                     {{"threads", true}, {"scheduler"}, {"compiler"}, {"kernels", true}, {"mean ratio to peer", true}});
    for (const peer_mean& mean : peer_means(rows, comparisons)) {
        if (mean.rows < 2)
            continue;
        table.add_row();
        table.add_count(mean.what->threads);
        table.add_keyed(colour_class(*mean.what), markup_text(scheduling_text(*mean.what)));
        table.add(markup_text(mean.what->compiler));
        table.add_count(mean.rows);
        table.add_number(fmt::format("<strong>{:.3f}</strong>", mean.ratio), mean.ratio);
    }
    if (table.is_empty())
        return {};
    return "<h3>Geometric means over the kernels</h3>\n" + table.markup();
}

}  // namespace teff::cli
