// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tables; see table.hpp.
#include <cli/report/table.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <cli/report/hardware_counts.hpp>
#include <cli/report/named_comparison.hpp>
#include <cli/report/text_table.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

// Always in seconds: columns can be compared at a glance only if the unit is the same.
std::string seconds_cell(double seconds) {
    if (seconds < 0.01)
        return fmt::format("{:.6f}", seconds);
    return seconds >= 100 ? fmt::format("{:.1f}", seconds) : fmt::format("{:.4f}", seconds);
}

std::string ratio_cell(const std::optional<paired_ratio>& ratio) {
    if (!ratio)
        return "-";
    return ratio->median >= 100 ? fmt::format("{:.0f}", ratio->median) : fmt::format("{:.3f}", ratio->median);
}

std::string cost_cell(const measurement& row) {
    if (row.tasks == 0)
        return "-";
    const double cost_ns = row.median_seconds() * 1e9 / static_cast<double>(row.tasks);
    return cost_ns >= 100 ? fmt::format("{:.0f}", cost_ns) : fmt::format("{:.2f}", cost_ns);
}

std::pair<double, double> least_and_most(const measurement& row) {
    const auto [least, most] = std::minmax_element(
        row.runs.begin(), row.runs.end(), [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
    return {least->seconds, most->seconds};
}

// The columns that every table of rows begins with, and those that follow.
std::vector<column> row_columns(const std::vector<column>& others) {
    std::vector<column> columns = {{"kernel", false},   {"size", false},      {"variant", false}, {"runtime", false},
                                   {"compiler", false}, {"scheduler", false}, {"threads", true},  {"median s", true},
                                   {"min s", true},     {"max s", true},      {"runs", true}};
    columns.insert(columns.end(), others.begin(), others.end());
    return columns;
}

std::vector<std::string> row_cells(const measurement& row, const std::vector<std::string>& others) {
    const auto [least, most] = least_and_most(row);
    const std::string scheduling = scheduling_text(row.what);
    std::vector<std::string> cells = {
        row.what.kernel, row.what.size_text(), row.what.variant, row.what.runtime, row.what.compiler,
        scheduling.empty() ? "-" : scheduling, fmt::format("{}", row.what.threads), seconds_cell(row.median_seconds()),
        seconds_cell(least), seconds_cell(most), fmt::format("{}", row.runs.size())};
    cells.insert(cells.end(), others.begin(), others.end());
    return cells;
}

std::string headline_cell(const measurement& row, const presentation& how) {
    const auto value = found_median(row, how.headline);
    return value ? number_text(*value) : "-";
}

}  // namespace

std::string main_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    text_table table(row_columns({{"ns/task", true}, {"/serial", true}, {"/best peer", true}}));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        if (i > 0 && !rows[i - 1].what.same_problem(row.what))
            table.add_gap();
        table.add(row_cells(row, {cost_cell(row), ratio_cell(comparisons[i].to_serial),
                                  ratio_cell(comparisons[i].to_best_peer)}));
    }
    return table.text();
}

namespace {

// A table of a kernel whose headline is what counts, not the time of the run.
std::string headline_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                           const presentation& how, std::size_t first, std::size_t end) {
    text_table table({{"kernel", false},   {"variant", false},        {"runtime", false}, {"compiler", false},
                      {"scheduler", false}, {"threads", true},         {how.headline_title + " median", true},
                      {"min", true},        {"max", true},             {"runs", true},     {"/best peer", true}});
    for (std::size_t i = first; i < end; ++i) {
        const measurement& row = rows[i];
        if (i > first && !rows[i - 1].what.same_problem(row.what))
            table.add_gap();
        const std::vector<double> values = found_values(row, how.headline);
        if (values.empty())
            continue;
        const five_number_summary all = quartiles(values);
        const std::string scheduling = scheduling_text(row.what);
        table.add({row.what.kernel, row.what.variant, row.what.runtime, row.what.compiler,
                   scheduling.empty() ? "-" : scheduling, fmt::format("{}", row.what.threads), number_text(all.middle),
                   number_text(all.least), number_text(all.most), fmt::format("{}", row.runs.size()),
                   ratio_cell(comparisons[i].to_best_peer)});
    }
    return table.text();
}

}  // namespace

std::string micro_tables(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                         const presentations& shown) {
    std::string text;
    for (std::size_t i = 0; i < rows.size();) {
        const std::string& kernel = rows[i].what.kernel;
        const auto found = shown.find(kernel);
        const presentation how = found == shown.end() ? presentation{} : found->second;
        if (!rows[i].what.compared.empty()) {
            const std::size_t first = i;
            while (i < rows.size() && rows[i].what.kernel == kernel)
                ++i;
            text += (text.empty() ? "" : "\n") + headline_table(rows, comparisons, how, first, i);
            continue;
        }
        text_table table(row_columns({{how.headline_title, true}, {"/serial", true}, {"/best peer", true}}));
        for (const std::size_t first = i; i < rows.size() && rows[i].what.kernel == kernel; ++i) {
            const measurement& row = rows[i];
            if (i > first && !rows[i - 1].what.same_problem(row.what))
                table.add_gap();
            table.add(row_cells(row, {headline_cell(row, how), ratio_cell(comparisons[i].to_serial),
                                      ratio_cell(comparisons[i].to_best_peer)}));
        }
        text += (text.empty() ? "" : "\n") + table.text();
    }
    return text;
}

std::string peer_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    text_table table({{"kernel", false},
                      {"size", false},
                      {"threads", true},
                      {"scheduler", false},
                      {"compiler", false},
                      {"median s", true},
                      {"best peer", false},
                      {"median s", true},
                      {"/best peer", true},
                      {"pairs", true},
                      {"/serial", true},
                      {"/stack", true}});
    bool any = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        const comparison& beside = comparisons[i];
        if (!is_teff(row.what.runtime) || !row.what.has_ratio)
            continue;
        any = true;
        table.add({row.what.kernel, row.what.size_text(), fmt::format("{}", row.what.threads),
                   scheduling_text(row.what), row.what.compiler, seconds_cell(row.median_seconds()),
                   beside.best_peer == nullptr ? "-" : series_text(beside.best_peer->what),
                   beside.best_peer == nullptr ? "-" : seconds_cell(beside.best_peer->median_seconds()),
                   ratio_cell(beside.to_best_peer),
                   beside.to_best_peer ? fmt::format("{}", beside.to_best_peer->pairs) : "-",
                   ratio_cell(beside.to_serial), ratio_cell(beside.to_stack)});
    }
    if (!any)
        return {};
    std::string text = table.text();
    for (const std::string& sentence : mean_sentences(rows, comparisons))
        text += sentence + "\n";
    return text;
}

std::string named_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons) {
    const named_comparison found = named_comparison_of(rows, comparisons);
    if (found.lines.empty())
        return {};
    std::vector<column> columns = {{"kernel", false}, {"size", false}, {"threads", true}, {"compiler", false},
                                   {"scheduler", false}};
    for (const std::string& title : found.titles)
        columns.push_back({title, title != best_peer_title});
    text_table table(std::move(columns));
    for (const named_line& each : found.lines) {
        const configuration& what = each.row->what;
        std::vector<std::string> cells = {what.kernel, what.problem.empty() ? what.size_text() : what.problem,
                                          fmt::format("{}", what.threads), what.compiler, scheduling_text(what)};
        cells.insert(cells.end(), each.cells.begin(), each.cells.end());
        table.add(std::move(cells));
    }
    std::string text = table.text();
    for (const std::string& sentence : mean_sentences(rows, comparisons))
        text += sentence + "\n";
    return text;
}

std::string sweep_table(const std::vector<measurement>& rows) {
    std::vector<long> cutoffs;
    for (const measurement& row : rows)
        if (row.what.in_sweep && std::find(cutoffs.begin(), cutoffs.end(), *row.what.cutoff) == cutoffs.end())
            cutoffs.push_back(*row.what.cutoff);
    if (cutoffs.empty())
        return {};
    std::sort(cutoffs.begin(), cutoffs.end());
    std::vector<column> columns = {{"kernel", false},   {"size", false},      {"variant", false}, {"runtime", false},
                                   {"compiler", false}, {"scheduler", false}, {"threads", true}};
    const std::size_t names = columns.size();
    for (const long cutoff : cutoffs)
        columns.push_back({fmt::format("{}", cutoff), true});
    std::vector<std::vector<std::string>> lines;
    for (const measurement& row : rows) {
        if (!row.what.in_sweep)
            continue;
        const std::string scheduling = scheduling_text(row.what);
        const std::vector<std::string> name = {row.what.kernel,
                                               row.what.size,
                                               row.what.variant,
                                               row.what.runtime,
                                               row.what.compiler,
                                               scheduling.empty() ? "-" : scheduling,
                                               fmt::format("{}", row.what.threads)};
        auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& other) {
            return std::equal(name.begin(), name.end(), other.begin());
        });
        if (line == lines.end()) {
            line = lines.insert(lines.end(), name);
            line->resize(columns.size(), "-");
        }
        const auto place = std::find(cutoffs.begin(), cutoffs.end(), *row.what.cutoff) - cutoffs.begin();
        (*line)[names + static_cast<std::size_t>(place)] = seconds_cell(row.median_seconds());
    }
    text_table table(std::move(columns));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i > 0 && !std::equal(lines[i].begin(), lines[i].begin() + 2, lines[i - 1].begin()))
            table.add_gap();
        table.add(lines[i]);
    }
    return table.text();
}

std::string skip_list(const std::vector<skip>& skipped) {
    std::vector<std::string> lines;
    for (const skip& each : skipped) {
        // A missing runtime has no variant, since it is missing for every kernel.
        std::string line = each.what.variant.empty() ? each.what.runtime : each.what.text();
        line += ": " + each.reason;
        if (each.lower_bound_seconds)
            line += fmt::format(" (takes at least {:g} s)", *each.lower_bound_seconds);
        if (std::find(lines.begin(), lines.end(), line) == lines.end())
            lines.push_back(line);
    }
    std::string text;
    for (const std::string& line : lines)
        text += "  " + line + "\n";
    return text;
}

std::string counter_list(const std::vector<measurement>& rows) {
    std::string text;
    for (const measurement& row : rows) {
        if (!row.counters.is_object())
            continue;
        std::string counts;
        for (const auto& [name, value] : row.counters.items())
            if (value.is_number())
                counts += fmt::format(" {}={}", name, value.dump());
        if (!counts.empty())
            text += "  " + row.what.text() + ":" + counts + "\n";
    }
    return text;
}

std::string worker_table(const std::vector<measurement>& rows) {
    text_table table({{"kernel", false},
                      {"size", false},
                      {"variant", false},
                      {"compiler", false},
                      {"scheduler", false},
                      {"threads", true},
                      {"worker", true},
                      {"run", true},
                      {"pushed", true},
                      {"run at once", true},
                      {"steals tried", true},
                      {"won", true},
                      {"contended", true},
                      {"requests served", true},
                      {"combining rounds", true},
                      {"combined", true},
                      {"parked", true},
                      {"idle ms", true}});
    bool any = false;
    for (const measurement& row : rows) {
        if (!row.counters.contains("workers"))
            continue;
        const nlohmann::json& workers = row.counters["workers"];
        if (std::exchange(any, true))
            table.add_gap();
        for (std::size_t i = 0; i < workers.size(); ++i) {
            const auto count = [&](const char* name) { return workers[i].value(name, std::uint64_t{0}); };
            std::vector<std::string> cells = {row.what.kernel, row.what.size_text(), row.what.variant,
                                              row.what.compiler, scheduling_text(row.what),
                                              fmt::format("{}", row.what.threads), fmt::format("{}", i)};
            for (const char* name :
                 {"run", "pushed", "run_at_once", "steals_tried", "steals_won", "steals_contended", "requests_served",
                  "combining_rounds", "combined", "parked"})
                cells.push_back(fmt::format("{}", count(name)));
            cells.push_back(fmt::format("{:.2f}", static_cast<double>(count("idle_ns")) / 1e6));
            table.add(std::move(cells));
        }
    }
    return any ? table.text() : std::string{};
}

std::string hardware_table(const std::vector<measurement>& rows) {
    const hardware_counts found = hardware_counts_of(rows);
    if (found.empty())
        return {};
    std::vector<column> columns = {{"kernel", false},   {"size", false},      {"variant", false}, {"runtime", false},
                                   {"compiler", false}, {"scheduler", false}, {"threads", true}};
    for (const std::string& title : found.titles)
        columns.push_back({title.c_str(), true});
    text_table table(std::move(columns));
    for (std::size_t i = 0; i < found.rows.size(); ++i) {
        const configuration& what = found.rows[i]->what;
        if (i > 0 && !found.rows[i - 1]->what.same_problem(what))
            table.add_gap();
        const std::string scheduling = scheduling_text(what);
        std::vector<std::string> cells = {
            what.kernel, what.size, what.variant, what.runtime, what.compiler, scheduling.empty() ? "-" : scheduling,
            fmt::format("{}", what.threads)};
        cells.insert(cells.end(), found.cells[i].begin(), found.cells[i].end());
        table.add(std::move(cells));
    }
    return table.text();
}

}  // namespace teff::cli
