// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of configurations, which of them may be compared, and the results as JSON; see results.hpp. Strings are written
// here and not by the library for JSON, which throws where a text is no UTF-8.
#include <cli/report/results.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <cli/shown_text.hpp>

namespace teff::cli {

std::string configuration::text() const {
    std::string words = fmt::format("{} {}", kernel, size_text());
    for (const std::string& word :
         {variant, runtime, compiler, scheduler.value_or(""), tracker.value_or(""), reclaimer.value_or("")})
        if (!word.empty())
            words += " " + word;
    if (threads > 0 && runtime != "serial")
        words += ", " + threads_text();
    return words;
}

std::string configuration::threads_text() const {
    const auto counted = [](unsigned count, const char* word) {
        return fmt::format("{} {}{}", count, word, count == 1 ? "" : "s");
    };
    return (ranks ? counted(*ranks, "rank") + ", " : "") + counted(threads, "thread");
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

bool is_teff(const std::string& runtime) { return runtime == "teff" || runtime == "teff-omp" || runtime == "teff-mpi"; }

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

namespace {

using json = nlohmann::ordered_json;

json name_or_null(const std::string& text) {
    return text.empty() ? json() : json(text);
}

json name_or_null(const std::optional<std::string>& text) {
    return text ? json(*text) : json();
}

json name_of(const configuration& what) {
    json object;
    object["kind"] = what.kind;
    object["kernel"] = what.kernel;
    object["size"] = what.size;
    object["cutoff"] = what.cutoff ? json(*what.cutoff) : json();
    object["variant"] = name_or_null(what.variant);
    object["runtime"] = name_or_null(what.runtime);
    object["compiler"] = name_or_null(what.compiler);
    object["scheduler"] = name_or_null(what.scheduler);
    object["tracker"] = name_or_null(what.tracker);
    object["reclaimer"] = name_or_null(what.reclaimer);
    object["ranks"] = what.ranks ? json(*what.ranks) : json();
    object["threads"] = what.threads == 0 ? json() : json(what.threads);
    return object;
}

// Adds given measures as they are; found measures as a list with one entry per run, and their median if they are
// numbers.
void add_measures(json& object, const measurement& row) {
    if (!row.given.is_object() || row.found.empty() || !row.found.front().is_object())
        return;
    for (const auto& [name, value] : row.given.items())
        object[name] = value;
    for (const auto& [name, first] : row.found.front().items()) {
        object[name] = json::array();
        for (const nlohmann::json& found : row.found)
            object[name].push_back(json(found.at(name)));
        if (first.is_number())
            object[name + "_median"] = *found_median(row, name);
    }
}

json graph_json(const measurement& row) {
    json object;
    object["file"] = row.graph_file;
    object["tasks"] = row.graph->tasks;
    object["tasks_left_out"] = row.graph->tasks_left_out;
    object["work_seconds"] = row.graph->work_us / 1e6;
    object["span_seconds"] = row.graph->span_us / 1e6;
    object["parallelism"] = row.graph->parallelism;
    return object;
}

json row_json(const measurement& row) {
    json object = name_of(row.what);
    const std::vector<double> seconds = seconds_of(row.runs);
    object["runs"] = seconds.size();
    object["seconds"] = seconds;
    object["seconds_median"] = median(seconds);
    object["seconds_min"] = *std::min_element(seconds.begin(), seconds.end());
    object["seconds_max"] = *std::max_element(seconds.begin(), seconds.end());
    object["tasks"] = row.tasks;
    object["verified"] = true;
    add_measures(object, row);
    if (!row.counters.is_null())
        object["counters"] = row.counters;
    if (!row.timeline_file.empty())
        object["timeline"] = row.timeline_file;
    if (row.graph)
        object["graph"] = graph_json(row);
    return object;
}

json skip_json(const skip& skipped) {
    json object = name_of(skipped.what);
    object["runs"] = 0;
    object["seconds"] = json::array();
    for (const char* key : {"seconds_median", "seconds_min", "seconds_max", "tasks"})
        object[key] = nullptr;
    object["verified"] = false;
    object["reason"] = skipped.reason;
    object["lower_bound_seconds"] = skipped.lower_bound_seconds ? json(*skipped.lower_bound_seconds) : json();
    return object;
}

json rank_sum_json(const measurements& results, const tested_pair& pair) {
    json object;
    object["first"] = results.rows[pair.first].what.text();
    object["second"] = results.rows[pair.second].what.text();
    object["first_row"] = pair.first;
    object["second_row"] = pair.second;
    object["w"] = pair.found.w;
    object["p"] = pair.found.p;
    return object;
}

// Ends the line and begins the next one, unless all is to be on one line.
void begin_line(std::string& to, int indent, int depth) {
    if (indent >= 0)
        to += "\n" + std::string(static_cast<std::size_t>(indent * depth), ' ');
}

void add_json(std::string& to, const json& value, int indent, int depth) {
    if (value.is_string()) {
        to += json_string(value.get_ref<const std::string&>());
        return;
    }
    if (!value.is_structured() || value.empty()) {
        to += value.dump();
        return;
    }
    const char* separator = "";
    to += value.is_object() ? '{' : '[';
    for (const auto& [key, element] : value.items()) {
        to += separator;
        separator = ",";
        begin_line(to, indent, depth + 1);
        if (value.is_object())
            to += json_string(key) + (indent >= 0 ? ": " : ":");
        add_json(to, element, indent, depth + 1);
    }
    begin_line(to, indent, depth);
    to += value.is_object() ? '}' : ']';
}

}  // namespace

json results_json(json machine, const measurements& results) {
    json object;
    object["partial"] = results.partial;
    object["machine"] = std::move(machine);
    object["rows"] = json::array();
    for (const measurement& row : results.rows)
        object["rows"].push_back(row_json(row));
    object["skipped"] = json::array();
    for (const skip& skipped : results.skipped)
        object["skipped"].push_back(skip_json(skipped));
    for (const tested_pair& pair : results.rank_sums)
        object["rank_sums"].push_back(rank_sum_json(results, pair));
    return object;
}

std::string json_text(const json& value, int indent) {
    std::string text;
    add_json(text, value, indent, 0);
    return text;
}

}  // namespace teff::cli
