// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the tasks of a small graph and the lines between them are drawn.
//
// Tasks are in columns by depth. A line that passes a column has a place of its own there, between the tasks; lines
// from the same task share it. Rows are found by going over the columns several times, to the right and to the left:
// each place wishes to be in the middle of its neighbours on that side, and the wishes of a column are spread.
#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include <cli/report/graph/task_graph.hpp>

namespace teff::cli {

struct task_graph_layout {
    enum class place_kind { task, passage, joint };
    struct place {
        place_kind kind = place_kind::task;
        std::size_t column = 0;    // a joint is before it
        double row = 0;            // of its middle, from 0 to `rows`
        std::size_t object = 0;    // of a joint
    };
    struct line {
        std::vector<std::size_t> places;   // from a task or joint to another one
        std::vector<std::size_t> objects;  // of the dependences; empty: a task spawned the other one
    };

    std::size_t columns = 0;
    double rows = 0;               // the height, where a task has the height 1
    std::vector<place> places;     // of the tasks, and then the others
    std::vector<line> lines;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> line_between;  // two tasks: index in `lines`
    std::vector<std::size_t> sync_columns;  // a sync is before this column
};

[[nodiscard]] task_graph_layout layout_of(const task_graph& graph);

// How many tasks are at each depth.
[[nodiscard]] std::vector<std::size_t> widths_of(const task_graph& graph);

}  // namespace teff::cli
