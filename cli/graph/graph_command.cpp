// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command `teff graph`; see graph_command.hpp.
#include <cli/graph/graph_command.hpp>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

#include <cli/output.hpp>
#include <cli/output_file.hpp>
#include <cli/report/graph/task_graph.hpp>
#include <cli/usage_error.hpp>

namespace teff::cli {

namespace {

constexpr const char* remedy = "name a file that a program has written with TEFF_DATAFLOW_GRAPH=FILE.json";

std::string text_of(const std::string& name) {
    if (name.empty())
        throw usage_error("no file", "the command shows the record of one run", remedy);
    errno = 0;
    std::ifstream stream(name, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (!stream)
        throw usage_error(fmt::format("'{}' cannot be read", name), std::generic_category().message(errno), remedy);
    return text;
}

task_graph graph_of(const std::string& name) {
    const std::string text = text_of(name);
    try {
        return read_task_graph(text);
    } catch (const std::runtime_error& error) {
        throw usage_error(fmt::format("'{}' cannot be shown", name), error.what(), remedy);
    }
}

}  // namespace

CLI::App* add_graph_command(CLI::App& app, graph_request& request) {
    CLI::App* graph = app.add_subcommand("graph", "Show the task graph that a program with dataflow has recorded");
    graph->add_option("file", request.file, "The file that it wrote with TEFF_DATAFLOW_GRAPH=FILE.json");
    graph->add_option("--svg", request.svg, "Draw the graph into this file")->type_name("FILE");
    return graph;
}

int run_graph(const graph_request& request) {
    const task_graph graph = graph_of(request.file);
    if (!request.svg.empty())
        write_file(request.svg, task_graph_file(graph, std::filesystem::path(request.file).filename().string()));
    print("{}", task_graph_table(graph));
    return 0;
}

}  // namespace teff::cli
