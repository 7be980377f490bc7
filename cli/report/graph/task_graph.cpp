// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading a task graph, and what is said of its functions; see task_graph.hpp.
#include <cli/report/graph/task_graph.hpp>

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cli/report/drawing/text_table.hpp>
#include <cli/shown_text.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

// An index below `end`. Throws std::out_of_range.
std::size_t index_below(long written, std::size_t end) {
    if (written < 0 || static_cast<std::size_t>(written) >= end)
        throw std::out_of_range(fmt::format("{} is too large", written));
    return static_cast<std::size_t>(written);
}

std::vector<std::size_t> tasks_of(const nlohmann::json& numbers, const task_graph& graph) {
    std::vector<std::size_t> result;
    for (const auto& each : numbers)
        result.push_back(index_below(each.get<long>() - 1, graph.tasks.size()));
    return result;
}

task_graph::task read_task(const nlohmann::json& object, const task_graph& graph) {
    task_graph::task task;
    // A parent comes before its tasks.
    const long parent = object.at("parent").get<long>();
    task.parent = parent == 0 ? no_index : index_below(parent - 1, graph.tasks.size());
    task.outermost = object.at("outermost").get<std::size_t>();
    task.function = index_below(object.at("function").get<long>(), graph.functions.size());
    const long thread = object.at("thread").get<long>();
    task.thread = thread < 0 ? no_index : index_below(thread, graph.threads.size());
    task.outcome = object.at("outcome").get<std::string>();
    task.begin_us = object.at("begin_ns").get<double>() / 1000;
    task.end_us = object.at("end_ns").get<double>() / 1000;
    task.own_us = object.at("own_ns").get<double>() / 1000;
    task.critical_us = object.at("critical_ns").get<double>() / 1000;
    task.depth = object.at("depth").get<std::size_t>();
    task.syncs_before = object.at("syncs_before").get<std::size_t>();
    for (const auto& each : object.at("accesses"))
        task.accesses.push_back({index_below(each.at("object").get<long>(), graph.addresses.size()),
                                 each.at("kind").get<std::string>(), each.at("version").get<std::size_t>(),
                                 each.at("generation").get<std::size_t>()});
    return task;
}

// Tasks are numbered, so a depth is smaller than their number.
void check_depths(const task_graph& graph) {
    for (const task_graph::task& each : graph.tasks)
        (void)index_below(static_cast<long>(each.depth), graph.tasks.size());
}

task_graph read_graph(const nlohmann::json& file) {
    if (file.at("teff_dataflow_graph") != 1)
        throw std::runtime_error("it is of a version that this command does not know");
    task_graph graph;
    graph.work_us = file.at("work_ns").get<double>() / 1000;
    graph.span_us = file.at("span_ns").get<double>() / 1000;
    graph.elapsed_us = file.at("elapsed_ns").get<double>() / 1000;
    graph.parallelism = file.at("parallelism").get<double>();
    graph.tasks_left_out = file.at("tasks_left_out").get<std::uint64_t>();
    graph.threads = file.at("threads").get<std::vector<std::string>>();
    graph.functions = file.at("functions").get<std::vector<std::string>>();
    for (const auto& each : file.at("addresses"))
        graph.addresses.push_back(each.is_null() ? "" : each.get<std::string>());
    for (const auto& each : file.at("tasks"))
        graph.tasks.push_back(read_task(each, graph));
    check_depths(graph);
    for (const auto& each : file.at("dependences"))
        graph.dependences.push_back({index_below(each.at("object").get<long>(), graph.addresses.size()),
                                     tasks_of(each.at("from"), graph), tasks_of(each.at("to"), graph)});
    graph.critical_path = tasks_of(file.at("critical_path"), graph);
    for (const std::size_t each : graph.critical_path)
        graph.tasks[each].is_critical = true;
    return graph;
}

void remove_all(std::string& text, std::string_view part) {
    for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place))
        text.erase(place, part.size());
}

// The short name. For a lambda: the function that contains it (GCC) or its place in the source (Clang). For a function:
// its name alone.
std::string short_name(std::string name) {
    remove_all(name, "{anonymous}::");
    remove_all(name, "(anonymous namespace)::");
    if (name.starts_with("(lambda at ") && name.ends_with(")")) {
        const std::size_t slash = name.rfind('/');
        return "lambda at " + name.substr(slash == std::string::npos ? 11 : slash + 1,
                                          name.size() - (slash == std::string::npos ? 12 : slash + 2));
    }
    const std::size_t lambda = name.find("::<lambda");
    const std::string outer = name.substr(0, lambda);
    const std::string bare = outer.substr(0, outer.find('('));
    if (lambda != std::string::npos)
        return "lambda in " + (bare.empty() ? outer : bare);
    return bare.empty() ? name : bare;
}

std::string milliseconds(double us) { return fmt::format("{:.3f}", us / 1000); }

}  // namespace

task_graph read_task_graph(const std::string& text) {
    const auto file = nlohmann::json::parse(repaired(text), nullptr, false);
    if (file.is_discarded())
        throw std::runtime_error(text.empty() ? "it is empty" : "it is no JSON");
    try {
        return read_graph(file);
    } catch (const nlohmann::json::exception& error) {
        throw std::runtime_error(fmt::format("it is no task graph of Teff ({})", error.what()));
    } catch (const std::out_of_range& error) {
        throw std::runtime_error(fmt::format("it is no task graph of Teff (a number that stands for something: {})",
                                             error.what()));
    }
}

std::vector<function_share> shares_of(const task_graph& graph) {
    std::vector<function_share> shares(graph.functions.size());
    std::map<std::string, int> seen;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        shares[i].function = i;
        shares[i].name = short_name(graph.functions[i]);
        if (const int before = seen[shares[i].name]++; before > 0)
            shares[i].name += fmt::format(" ({})", before + 1);
    }
    for (const task_graph::task& each : graph.tasks) {
        function_share& share = shares[each.function];
        ++share.tasks;
        share.own_us += each.own_us;
        share.critical_tasks += each.is_critical ? 1 : 0;
        share.critical_us += each.critical_us;
    }
    std::sort(shares.begin(), shares.end(), [](const function_share& a, const function_share& b) {
        return a.own_us != b.own_us ? a.own_us > b.own_us : a.function < b.function;
    });
    return shares;
}

std::string summary_of(const task_graph& graph) {
    std::vector<bool> used(graph.threads.size());
    for (const task_graph::task& each : graph.tasks)
        if (each.thread != no_index)
            used[each.thread] = true;
    const auto threads = std::count(used.begin(), used.end(), true);
    const auto plural = [](std::size_t count) { return count == 1 ? "" : "s"; };
    std::string text = fmt::format("{} task{}, work {}, span {}, parallelism {}; took {} on {} thread{}",
                                   graph.tasks.size(), plural(graph.tasks.size()), format_seconds(graph.work_us / 1e6),
                                   format_seconds(graph.span_us / 1e6), number_text(graph.parallelism),
                                   format_seconds(graph.elapsed_us / 1e6), threads,
                                   plural(static_cast<std::size_t>(threads)));
    if (graph.tasks_left_out > 0)
        text += fmt::format("; {} later tasks were not recorded", graph.tasks_left_out);
    return text;
}

std::string task_graph_table(const task_graph& graph) {
    text_table table({{"function", false}, {"tasks", true}, {"time ms", true}, {"mean us", true}, {"critical", true},
                      {"critical ms", true}});
    for (const function_share& each : shares_of(graph))
        table.add({each.name, fmt::format("{}", each.tasks), milliseconds(each.own_us),
                   number_text(each.own_us / static_cast<double>(std::max<std::size_t>(each.tasks, 1))),
                   fmt::format("{}", each.critical_tasks), milliseconds(each.critical_us)});
    return summary_of(graph) + "\n\n" + table.text();
}

}  // namespace teff::cli
