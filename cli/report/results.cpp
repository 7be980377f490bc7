// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of configurations, and which of them may be compared; see results.hpp.
#include <cli/report/results.hpp>

#include <fmt/format.h>

namespace teff::cli {

std::string configuration::text() const {
    std::string words = fmt::format("{} {}", kernel, size_text());
    for (const std::string& word :
         {variant, runtime, compiler, scheduler.value_or(""), tracker.value_or(""), reclaimer.value_or("")})
        if (!word.empty())
            words += " " + word;
    if (threads > 0 && runtime != "serial")
        words += fmt::format(", {} thread{}", threads, threads == 1 ? "" : "s");
    return words;
}

std::string configuration::size_text() const {
    return cutoff ? fmt::format("{} cut-off {}", size, *cutoff) : size;
}

std::string configuration::problem_text() const {
    return problem.empty() ? size_text() : size_text() + " " + problem;
}

bool configuration::same_problem(const configuration& other) const {
    return kind == other.kind && kernel == other.kernel && size == other.size && cutoff == other.cutoff &&
           problem == other.problem;
}

bool configuration::same_work(const configuration& other) const {
    return same_problem(other) && ((kind != "micro" && kind != "threads") || threads == other.threads);
}

bool configuration::is_peer() const {
    return teff::cli::is_peer(runtime) || (kind == "threads" && runtime == "pthread");
}

bool is_peer(const std::string& runtime) {
    return !is_teff(runtime) && runtime != "serial" && runtime != "pthread";
}

bool is_teff(const std::string& runtime) { return runtime == "teff" || runtime == "teff-omp"; }

measurements measurements::part(bool with_measures) const {
    measurements chosen{{}, skipped, failed, partial, {}};
    for (const measurement& row : rows)
        if (row.what.has_measures() == with_measures)
            chosen.rows.push_back(row);
    return chosen;
}

double measurement::spread() const {
    const five_number_summary all = quartiles(seconds_of(runs));
    return all.middle > 0 ? (all.most - all.least) / all.middle : 0;
}

std::vector<timed_run> measurement::compared_runs() const {
    if (what.compared.empty())
        return runs;
    std::vector<timed_run> values;
    for (std::size_t i = 0; i < runs.size() && i < found.size(); ++i)
        if (found[i].is_object() && found[i].contains(what.compared))
            if (const double value = found[i][what.compared].get<double>(); value > 0)
                values.push_back({runs[i].round, value});
    return values;
}

}  // namespace teff::cli
