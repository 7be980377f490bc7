// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the results of simulations, and computes speed-ups and shares; see simulated.hpp.
#include <cli/simulate/simulated.hpp>

#include <algorithm>

namespace teff::cli {

simulated_row read_simulated_row(const simulation& what, const std::string& line) {
    simulated_row row;
    row.what = what;
    row.line = nlohmann::ordered_json::parse(line);
    row.tasks = row.line.at("tasks").get<unsigned long long>();
    row.seconds = row.line.at("seconds").get<double>();
    row.ns_per_task = row.line.at("ns_per_task").get<double>();
    row.near_lines_per_task = row.line.at("near_lines_per_task").get<double>();
    row.far_lines_per_task = row.line.at("far_lines_per_task").get<double>();
    for (const auto& [cause, share] : row.line.at("share").items())
        row.shares.emplace_back(cause, share.get<double>());
    if (row.line.contains("sites"))
        for (const auto& site : row.line.at("sites"))
            row.sites.push_back({site.at("where").get<std::string>(), site.at("per_task").get<double>(),
                                 site.at("waited_ns").get<double>()});
    return row;
}

void add_speedups(std::vector<simulated_row>& rows) {
    for (simulated_row& row : rows) {
        const auto single = std::find_if(rows.begin(), rows.end(), [&](const simulated_row& other) {
            return other.what.threads == 1 && other.what.same_line(row.what);
        });
        if (single != rows.end() && row.seconds > 0)
            row.speedup = single->seconds / row.seconds;
    }
}

double runtime_share(const simulated_row& row) {
    double left = 1;
    for (const auto& [cause, share] : row.shares)
        left -= share;
    return std::max(left, 0.0);
}

std::string title_of_cause(const std::string& cause) {
    std::string title = cause;
    std::replace(title.begin(), title.end(), '_', ' ');
    return title;
}

std::vector<std::vector<const simulated_row*>> by_program(const std::vector<simulated_row>& rows) {
    std::vector<std::vector<const simulated_row*>> programs;
    for (const simulated_row& row : rows) {
        if (programs.empty() || !programs.back().front()->what.same_program(row.what))
            programs.emplace_back();
        programs.back().push_back(&row);
    }
    return programs;
}

unsigned most_simulated_threads(const std::vector<const simulated_row*>& rows) {
    unsigned most = 1;
    for (const simulated_row* row : rows)
        most = std::max(most, row->what.threads);
    return most;
}

}  // namespace teff::cli
