// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tables; see table.hpp.
#include <cli/report/table.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <cli/report/drawing/text_table.hpp>
#include <cli/report/hardware_counts.hpp>
#include <cli/report/named_comparison.hpp>
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

// Whether some row is of several ranks: then tables have a column for them.
bool have_ranks(const std::vector<measurement>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const measurement& row) { return row.what.ranks.has_value(); });
}

const column ranks_column = {"ranks", true, 7, true};

std::string ranks_cell(const configuration& what) { return what.ranks ? fmt::format("{}", *what.ranks) : "-"; }

// "4x2" are 4 ranks with 2 threads each, in tables without that column.
std::string threads_cell(const configuration& what) {
    return what.ranks ? fmt::format("{}x{}", *what.ranks, what.threads) : fmt::format("{}", what.threads);
}

// Inserts the column, or its cell, in front of that of the threads.
template <class T>
void insert_ranks(std::vector<T>& columns, std::size_t threads, const T& inserted) {
    columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(threads), inserted);
}

// The columns that every table of rows begins with, and those that follow.
std::vector<column> row_columns(const std::vector<column>& others) {
    std::vector<column> columns = {{"kernel", false},
                                   {"size", false, 8, true},
                                   {"variant", false, 4, true},
                                   {"runtime", false},
                                   {"compiler", false, 5, true},
                                   {"scheduler", false, 2, true},
                                   {"threads", true, 7, true},
                                   {"median s", true},
                                   {"min s", true, 11},
                                   {"max s", true, 10},
                                   {"runs", true, 12}};
    columns.insert(columns.end(), others.begin(), others.end());
    return columns;
}

// The columns that identify a configuration.
std::vector<column> name_columns() {
    return {{"kernel", false, 2, true},   {"size", false, 6, true},      {"variant", false, 4, true},
            {"runtime", false, 1, true},  {"compiler", false, 5, true},  {"scheduler", false, 3, true},
            {"threads", true, 7, true}};
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

// "2-101 %": how busy the ranks kept a processor each.
std::string cpu_cell(const measurement& row) {
    const auto least = found_median(row, "least_rank_cpu_percent"), most = found_median(row, "most_rank_cpu_percent");
    return least && most ? fmt::format("{:.0f}-{:.0f} %", *least, *most) : "-";
}

std::string memory_cell(const measurement& row) {
    const auto peak = found_median(row, "peak_rank_mib");
    return peak ? fmt::format("{:.0f}", *peak) : "-";
}

// The main table of kind mpi.
std::string ranks_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                        table_width width) {
    constexpr std::size_t threads = 6;  // the place of that column
    std::vector<column> columns = row_columns({{"ns/task", true, 9},
                                               {"/serial", true, 4},
                                               {"/best peer", true, 3},
                                               {"/process", true, 1},
                                               {"CPU", true, 5},
                                               {"MiB", true, 5}});
    insert_ranks(columns, threads, ranks_column);
    text_table table(std::move(columns));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        if (i > 0 && !rows[i - 1].what.same_problem(row.what))
            table.add_gap();
        const comparison& beside = comparisons[i];
        std::vector<std::string> cells =
            row_cells(row, {cost_cell(row), ratio_cell(beside.to_serial), ratio_cell(beside.to_best_peer),
                            ratio_cell(beside.to_process), cpu_cell(row), memory_cell(row)});
        insert_ranks(cells, threads, ranks_cell(row.what));
        table.add(cells);
    }
    return table.text(width);
}

std::string headline_cell(const measurement& row, const presentation& shown_as) {
    const auto value = found_median(row, shown_as.headline);
    return value ? number_text(*value) : "-";
}

}  // namespace

std::string main_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                       table_width width) {
    if (have_ranks(rows))
        return ranks_table(rows, comparisons, width);
    text_table table(row_columns({{"ns/task", true, 9}, {"/serial", true, 3}, {"/best peer", true, 6}}));
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        if (i > 0 && !rows[i - 1].what.same_problem(row.what))
            table.add_gap();
        table.add(row_cells(row, {cost_cell(row), ratio_cell(comparisons[i].to_serial),
                                  ratio_cell(comparisons[i].to_best_peer)}));
    }
    return table.text(width);
}

namespace {

// A table of a kernel whose headline is what counts, not the time of the run.
std::string headline_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                           const presentation& shown_as, std::size_t first, std::size_t end, table_width width) {
    text_table table({{"kernel", false, 2, true},
                      {"variant", false, 4, true},
                      {"runtime", false},
                      {"compiler", false, 5, true},
                      {"scheduler", false, 3, true},
                      {"threads", true, 6, true},
                      {shown_as.headline_title + " median", true},
                      {"min", true, 8},
                      {"max", true, 7},
                      {"runs", true, 9},
                      {"/best peer", true, 1}});
    for (std::size_t i = first; i < end; ++i) {
        const measurement& row = rows[i];
        if (i > first && !rows[i - 1].what.same_problem(row.what))
            table.add_gap();
        const std::vector<double> values = found_values(row, shown_as.headline);
        if (values.empty())
            continue;
        const five_number_summary all = quartiles(values);
        const std::string scheduling = scheduling_text(row.what);
        table.add({row.what.kernel, row.what.variant, row.what.runtime, row.what.compiler,
                   scheduling.empty() ? "-" : scheduling, fmt::format("{}", row.what.threads), number_text(all.middle),
                   number_text(all.least), number_text(all.most), fmt::format("{}", row.runs.size()),
                   ratio_cell(comparisons[i].to_best_peer)});
    }
    return table.text(width);
}

}  // namespace

std::string micro_tables(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                         const presentations& shown, table_width width) {
    std::string text;
    for (std::size_t i = 0; i < rows.size();) {
        const std::string& kernel = rows[i].what.kernel;
        const auto found = shown.find(kernel);
        const presentation shown_as = found == shown.end() ? presentation{} : found->second;
        if (!rows[i].what.compared.empty()) {
            const std::size_t first = i;
            while (i < rows.size() && rows[i].what.kernel == kernel)
                ++i;
            text += (text.empty() ? "" : "\n") + headline_table(rows, comparisons, shown_as, first, i, width);
            continue;
        }
        text_table table(row_columns({{shown_as.headline_title, true}, {"/serial", true, 3}, {"/best peer", true, 6}}));
        for (const std::size_t first = i; i < rows.size() && rows[i].what.kernel == kernel; ++i) {
            const measurement& row = rows[i];
            if (i > first && !rows[i - 1].what.same_problem(row.what))
                table.add_gap();
            table.add(row_cells(row, {headline_cell(row, shown_as), ratio_cell(comparisons[i].to_serial),
                                      ratio_cell(comparisons[i].to_best_peer)}));
        }
        text += (text.empty() ? "" : "\n") + table.text(width);
    }
    return text;
}

std::string peer_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                       table_width width) {
    constexpr std::size_t threads = 2;  // the place of that column
    std::vector<column> columns = {{"kernel", false},
                                   {"size", false, 7, true},
                                   {"threads", true, 6, true},
                                   {"scheduler", false, 4, true},
                                   {"compiler", false, 3, true},
                                   {"median s", true, 2},
                                   {"best peer", false},
                                   {"median s", true, 5},
                                   {"/best peer", true},
                                   {"pairs", true, 9},
                                   {"/serial", true, 1},
                                   {"/stack", true, 8}};
    const bool has_ranks = have_ranks(rows);
    if (has_ranks)
        insert_ranks(columns, threads, ranks_column);
    text_table table(std::move(columns));
    bool any = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const measurement& row = rows[i];
        const comparison& beside = comparisons[i];
        if (!is_teff(row.what.runtime) || !row.what.has_ratio)
            continue;
        any = true;
        std::vector<std::string> cells = {
            row.what.kernel, row.what.size_text(), fmt::format("{}", row.what.threads), scheduling_text(row.what),
            row.what.compiler, seconds_cell(row.median_seconds()),
            beside.best_peer == nullptr ? "-" : series_text(beside.best_peer->what),
            beside.best_peer == nullptr ? "-" : seconds_cell(beside.best_peer->median_seconds()),
            ratio_cell(beside.to_best_peer), beside.to_best_peer ? fmt::format("{}", beside.to_best_peer->pairs) : "-",
            ratio_cell(beside.to_serial), ratio_cell(beside.to_stack)};
        if (has_ranks)
            insert_ranks(cells, threads, ranks_cell(row.what));
        table.add(cells);
    }
    if (!any)
        return {};
    std::string text = table.text(width);
    for (const std::string& sentence : mean_sentences(rows, comparisons))
        text += sentence + "\n";
    return text;
}

std::string named_table(const std::vector<measurement>& rows, const std::vector<comparison>& comparisons,
                        table_width width) {
    const named_comparison found = named_comparison_of(rows, comparisons);
    if (found.lines.empty())
        return {};
    std::vector<column> columns = {{"kernel", false},
                                   {"size", false, 6, true},
                                   {"threads", true, 5, true},
                                   {"compiler", false, 1, true},
                                   {"scheduler", false, 3, true}};
    // Those to single runtimes are what the table is for.
    const auto rank_of = [&](const std::string& title) {
        const bool is_peers_median = title == "median" && columns.back().title == best_peer_title;
        return title == "pairs"            ? 9U
               : is_peers_median           ? 8U
               : title == "/serial"        ? 7U
               : title == best_peer_title  ? 4U
               : title == "median"         ? 2U
                                           : 0U;
    };
    for (const std::string& title : found.titles)
        columns.push_back({title, title != best_peer_title, rank_of(title)});
    text_table table(std::move(columns));
    for (const named_line& each : found.lines) {
        const configuration& what = each.row->what;
        std::vector<std::string> cells = {what.kernel, what.problem.empty() ? what.size_text() : what.problem,
                                          fmt::format("{}", what.threads), what.compiler, scheduling_text(what)};
        for (const named_cell& cell : each.cells)
            cells.push_back(cell.text);
        table.add(std::move(cells));
    }
    std::string text = table.text(width);
    for (const std::string& sentence : mean_sentences(rows, comparisons))
        text += sentence + "\n";
    return text;
}

std::string rank_sum_table(const measurements& results, table_width width) {
    if (results.rank_sums.empty())
        return {};
    text_table table({{"kernel", false, 2, true},
                      {"size", false, 3, true},
                      {"threads", true, 4, true},
                      {"first", false},
                      {"runs", true, 6},
                      {"median", true, 5},
                      {"second", false},
                      {"runs", true, 6},
                      {"median", true, 5},
                      {"W", true, 1},
                      {"p", true},
                      {"they differ", false}});
    const tested_pair* before = nullptr;
    for (const tested_pair& each : results.rank_sums) {
        const measurement &first = results.rows[each.first], &second = results.rows[each.second];
        if (before != nullptr && !results.rows[before->first].what.same_problem(first.what))
            table.add_gap();
        before = &each;
        std::vector<std::string> cells = {first.what.kernel, first.what.problem_text(),
                                          threads_cell(first.what)};
        for (const measurement* row : {&first, &second}) {
            const std::vector<double> values = seconds_of(row->compared_runs());
            cells.insert(cells.end(), {series_text(row->what), fmt::format("{}", values.size()),
                                       number_text(median(values))});
        }
        cells.insert(cells.end(), {fmt::format("{:g}", each.found.w), fmt::format("{:.3g}", each.found.p),
                                   each.found.p < significance_level ? "yes" : "not significant"});
        table.add(std::move(cells));
    }
    return table.text(width);
}

std::string sweep_table(const std::vector<measurement>& rows, table_width width) {
    std::vector<long> cutoffs;
    for (const measurement& row : rows)
        if (row.what.in_sweep && std::find(cutoffs.begin(), cutoffs.end(), *row.what.cutoff) == cutoffs.end())
            cutoffs.push_back(*row.what.cutoff);
    if (cutoffs.empty())
        return {};
    std::sort(cutoffs.begin(), cutoffs.end());
    std::vector<column> columns = name_columns();
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
                                               threads_cell(row.what)};
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
    return table.text(width);
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

std::string worker_table(const std::vector<measurement>& rows, table_width width) {
    text_table table({{"kernel", false, 8, true},
                      {"size", false, 12, true},
                      {"variant", false, 10, true},
                      {"compiler", false, 9, true},
                      {"scheduler", false, 7, true},
                      {"threads", true, 11, true},
                      {"worker", true},
                      {"run", true},
                      {"pushed", true, 5},
                      {"run at once", true, 6},
                      {"steals tried", true, 3},
                      {"won", true, 2},
                      {"contended", true, 13},
                      {"requests served", true, 4},
                      {"combining rounds", true, 15},
                      {"combined", true, 14},
                      {"parked", true, 8},
                      {"idle ms", true, 1}});
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
    return any ? table.text(width) : std::string{};
}

std::string hardware_table(const std::vector<measurement>& rows, table_width width) {
    const hardware_counts found = hardware_counts_of(rows);
    if (found.empty())
        return {};
    std::vector<column> columns = name_columns();
    // The first counts are the ones that most readers look for.
    for (unsigned place = 1; const std::string& title : found.titles)
        columns.push_back({title, true, 10 + place++});
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
    return table.text(width);
}

}  // namespace teff::cli
