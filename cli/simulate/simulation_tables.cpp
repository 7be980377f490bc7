// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the tables about simulations; see simulation_tables.hpp.
#include <cli/simulate/simulation_tables.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/report/text_table.hpp>
#include <cli/shown_text.hpp>
#include <cli/simulate/machine_file.hpp>

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

}  // namespace teff::cli
