// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task graph of one run: read from the JSON file that the library writes (teff/dataflow_graph.hpp), and shown as a
// picture or a table.
//
// A small graph is drawn: a box for each task, in columns by depth, with the dependences between them; a colour for
// each function, in the order of the time that they take. Of a graph with many tasks the picture shows how many tasks
// there are at each depth. Below both is the critical path in time, and in small graphs it is red.
//
// Dependences over a sync() are not drawn; a line is, where it separates all tasks. Where each task of a generation
// depends on each of another one, the lines meet in a point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace teff::cli {

inline constexpr std::size_t no_index = static_cast<std::size_t>(-1);

struct task_graph {
    struct access {
        std::size_t object = 0;
        std::string kind;
        std::size_t version = 0;
        std::size_t generation = 0;
    };
    struct task {
        std::size_t parent = no_index;     // no_index: an outermost function
        std::size_t outermost = 1;
        std::size_t function = 0;
        std::size_t thread = no_index;     // no_index: no thread has called it
        std::string outcome;               // as in the file
        double begin_us = 0, end_us = 0, own_us = 0;
        double critical_us = 0;
        std::size_t depth = 0;
        std::size_t syncs_before = 0;
        bool is_critical = false;
        std::vector<access> accesses;
    };
    // All of `to` depend on all of `from`.
    struct dependence {
        std::size_t object = 0;
        std::vector<std::size_t> from, to;
    };

    double work_us = 0, span_us = 0, elapsed_us = 0;
    double parallelism = 0;
    std::uint64_t tasks_left_out = 0;
    std::vector<std::string> threads, functions;
    std::vector<std::string> addresses;    // by object; empty: a teff::object
    std::vector<task> tasks;               // in program order
    std::vector<dependence> dependences;
    std::vector<std::size_t> critical_path;
};

// From the text of the file. Throws std::runtime_error with the reason if it is none.
[[nodiscard]] task_graph read_task_graph(const std::string& text);

// The facts about each function; the function that takes the most time comes first.
struct function_share {
    std::size_t function = 0;
    std::string name;                      // short, and different from the others
    std::size_t tasks = 0;
    double own_us = 0;
    std::size_t critical_tasks = 0;
    double critical_us = 0;
};
[[nodiscard]] std::vector<function_share> shares_of(const task_graph& graph);

// "24 tasks, work 1.28 ms, span 0.521 ms, parallelism 2.46; took 1.3 ms on 2 threads"
[[nodiscard]] std::string summary_of(const task_graph& graph);

// The summary, and a line for each function.
[[nodiscard]] std::string task_graph_table(const task_graph& graph);

// The picture for the report, whose style sheet has the colours; `title` is for screen readers.
[[nodiscard]] std::string task_graph_plot(const task_graph& graph, const std::string& title);

// Whether the picture has a box for each task; else it has the number of tasks at each depth.
[[nodiscard]] bool has_boxes(const task_graph& graph);

// The numbers and the picture of a graph in the report. The graph itself is not kept: a hundred thousand tasks take
// tens of megabytes, and each row may have a graph.
struct drawn_task_graph {
    drawn_task_graph(const task_graph& graph, const std::string& title);

    std::size_t tasks;
    std::uint64_t tasks_left_out;
    double work_us, span_us, elapsed_us, parallelism;
    bool has_boxes;
    std::string picture;                   // by task_graph_plot()
};

// The picture as a file of its own, with a heading.
[[nodiscard]] std::string task_graph_file(const task_graph& graph, const std::string& title);

// The part of the style sheet that both need.
extern const char* const task_graph_style;

}  // namespace teff::cli
