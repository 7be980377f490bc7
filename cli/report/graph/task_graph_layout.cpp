// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places the tasks of a small graph; see task_graph_layout.hpp.
#include <cli/report/graph/task_graph_layout.hpp>

#include <algorithm>
#include <numeric>
#include <tuple>

namespace teff::cli {

namespace {

using layout_place = task_graph_layout::place;
using place_kind = task_graph_layout::place_kind;

// Tasks that no sync of their parent separates: parent, outermost function, number of syncs.
using task_stretch = std::tuple<std::size_t, std::size_t, std::size_t>;

task_stretch stretch_of(const task_graph::task& task) { return {task.parent, task.outermost, task.syncs_before}; }

// Columns that all tasks of some stretches of outermost functions are before, and those of all others behind.
std::vector<std::size_t> sync_columns(const task_graph& graph) {
    std::map<std::pair<std::size_t, std::size_t>, std::pair<std::size_t, std::size_t>> ranges;
    std::vector<std::size_t> top(graph.tasks.size());
    for (std::size_t i = 0; i < graph.tasks.size(); ++i) {
        const task_graph::task& task = graph.tasks[i];
        top[i] = task.parent == no_index ? i : top[task.parent];
        const task_graph::task& outer = graph.tasks[top[i]];
        auto& range = ranges.try_emplace({outer.outermost, outer.syncs_before}, task.depth, task.depth).first->second;
        range.first = std::min(range.first, task.depth);
        range.second = std::max(range.second, task.depth);
    }
    std::vector<std::pair<std::size_t, std::size_t>> sorted;
    for (const auto& [key, range] : ranges)
        sorted.push_back(range);
    std::sort(sorted.begin(), sorted.end());
    std::vector<std::size_t> columns;
    std::size_t greatest = 0;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i > 0 && sorted[i].first > greatest)
            columns.push_back(sorted[i].first);
        greatest = std::max(greatest, sorted[i].second);
    }
    return columns;
}

// Finds the places and lines of a graph.
class line_finder {
public:
    line_finder(const task_graph& graph, task_graph_layout& layout)
        : graph_(graph), layout_(layout), comes_after_(graph.tasks.size(), false) {
        for (const task_graph::task& each : graph.tasks)
            layout.places.push_back({place_kind::task, each.depth});
    }

    void find() {
        for (const task_graph::dependence& each : graph_.dependences)
            add_dependence(each);
        // From a parent to those of its tasks that depend on nothing else.
        for (std::size_t i = 0; i < graph_.tasks.size(); ++i)
            if (graph_.tasks[i].parent != no_index && !comes_after_[i])
                add_edge(graph_.tasks[i].parent, i, {});
    }

private:
    // Adds the parts of a dependence that no sync separates.
    void add_dependence(const task_graph::dependence& all) {
        std::map<task_stretch, task_graph::dependence> parts;
        for (const std::size_t to : all.to)
            parts[stretch_of(graph_.tasks[to])].to.push_back(to);
        for (auto& [here, part] : parts) {
            for (const std::size_t from : all.from)
                if (stretch_of(graph_.tasks[from]) == here)
                    part.from.push_back(from);
            part.object = all.object;
            if (!part.from.empty())
                add_part(part);
        }
    }

    void add_part(const task_graph::dependence& part) {
        for (const std::size_t to : part.to)
            comes_after_[to] = true;
        if (part.from.size() * part.to.size() <= part.from.size() + part.to.size()) {
            for (const std::size_t from : part.from)
                for (const std::size_t to : part.to)
                    add_edge(from, to, {part.object});
            return;
        }
        std::size_t column = layout_.columns;
        for (const std::size_t to : part.to)
            column = std::min(column, graph_.tasks[to].depth);
        const std::size_t joint = add_place({place_kind::joint, column, 0, part.object});
        for (const std::size_t from : part.from)
            add_line(from, joint, {part.object});
        for (const std::size_t to : part.to)
            add_line(joint, to, {part.object});
    }

    void add_edge(std::size_t from, std::size_t to, const std::vector<std::size_t>& objects) {
        const auto [found, is_new] = layout_.line_between.try_emplace({from, to}, layout_.lines.size());
        if (is_new)
            add_line(from, to, objects);
        else
            layout_.lines[found->second].objects.insert(layout_.lines[found->second].objects.end(), objects.begin(),
                                                        objects.end());
    }

    void add_line(std::size_t from, std::size_t to, const std::vector<std::size_t>& objects) {
        task_graph_layout::line line = {{from}, objects};
        const layout_place& begin = layout_.places[from];
        const std::size_t end = layout_.places[to].column;
        for (std::size_t column = begin.column + (begin.kind == place_kind::joint ? 0 : 1); column < end; ++column) {
            const auto [found, is_new] = passages_.try_emplace({from, column}, layout_.places.size());
            line.places.push_back(is_new ? add_place({place_kind::passage, column}) : found->second);
        }
        line.places.push_back(to);
        layout_.lines.push_back(std::move(line));
    }

    std::size_t add_place(const layout_place& made) {
        layout_.places.push_back(made);
        return layout_.places.size() - 1;
    }

    const task_graph& graph_;
    task_graph_layout& layout_;
    std::vector<bool> comes_after_;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> passages_;  // by where lines begin, and column
};

class row_finder {
public:
    explicit row_finder(task_graph_layout& layout)
        : layout_(layout), columns_(layout.columns), before_(layout.places.size()), after_(layout.places.size()) {
        for (std::size_t i = 0; i < layout.places.size(); ++i)
            (layout.places[i].kind == place_kind::joint ? joints_ : columns_[layout.places[i].column]).push_back(i);
        for (const task_graph_layout::line& line : layout.lines)
            for (std::size_t i = 1; i < line.places.size(); ++i) {
                before_[line.places[i]].push_back(line.places[i - 1]);
                after_[line.places[i - 1]].push_back(line.places[i]);
            }
    }

    void find() {
        choose_heights();
        for (const std::vector<std::size_t>& column : columns_) {
            double row = 0;
            for (const std::size_t each : column) {
                layout_.places[each].row = row + height_of(each) / 2;
                row += height_of(each);
            }
            for (const std::size_t each : column)
                layout_.places[each].row += (layout_.rows - row) / 2;
        }
        constexpr int rounds = 12;
        for (int round = 0; round < rounds; ++round) {
            place_joints();
            for (const std::vector<std::size_t>& column : columns_)
                place_column(column, before_);
            place_joints();
            for (auto column = columns_.rbegin(); column != columns_.rend(); ++column)
                place_column(*column, after_);
        }
        place_joints();
    }

private:
    using neighbours = std::vector<std::vector<std::size_t>>;

    // Passages together may take half as much room as the tasks.
    void choose_heights() {
        double most_tasks = 1, most_passages = 0;
        for (const std::vector<std::size_t>& column : columns_) {
            const auto tasks = std::count_if(column.begin(), column.end(), [&](std::size_t each) {
                return layout_.places[each].kind == place_kind::task;
            });
            most_tasks = std::max(most_tasks, static_cast<double>(tasks));
            most_passages = std::max(most_passages, static_cast<double>(column.size()) - static_cast<double>(tasks));
        }
        if (most_passages > 0)
            passage_height_ = std::min(0.4, most_tasks / 2 / most_passages);
        for (const std::vector<std::size_t>& column : columns_) {
            double height = 0;
            for (const std::size_t each : column)
                height += height_of(each);
            layout_.rows = std::max(layout_.rows, height);
        }
    }

    double height_of(std::size_t which) const {
        return layout_.places[which].kind == place_kind::task ? 1 : passage_height_;
    }

    // Where a place wishes to be: in the middle of these, or else where it is.
    double middle_of(const std::vector<std::size_t>& all, double otherwise) const {
        double sum = 0;
        for (const std::size_t each : all)
            sum += layout_.places[each].row;
        return all.empty() ? otherwise : sum / static_cast<double>(all.size());
    }

    void place_joints() {
        for (const std::size_t each : joints_)
            layout_.places[each].row = (middle_of(before_[each], 0) + middle_of(after_[each], 0)) / 2;
    }

    void place_column(const std::vector<std::size_t>& column, const neighbours& side) {
        std::vector<double> rows;
        for (const std::size_t each : column)
            rows.push_back(middle_of(side[each], layout_.places[each].row));
        std::vector<std::size_t> order(column.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return std::tie(rows[a], a) < std::tie(rows[b], b);
        });
        // Down where there is no room; then, from the bottom, up again.
        double limit = 0;
        for (const std::size_t i : order) {
            const double half = height_of(column[i]) / 2;
            rows[i] = std::max(rows[i], limit + half);
            limit = rows[i] + half;
        }
        limit = layout_.rows;
        for (auto i = order.rbegin(); i != order.rend(); ++i) {
            const double half = height_of(column[*i]) / 2;
            rows[*i] = std::min(rows[*i], limit - half);
            limit = rows[*i] - half;
        }
        for (std::size_t i = 0; i < column.size(); ++i)
            layout_.places[column[i]].row = rows[i];
    }

    task_graph_layout& layout_;
    std::vector<std::vector<std::size_t>> columns_;
    std::vector<std::size_t> joints_;
    neighbours before_, after_;
    double passage_height_ = 0;
};

}  // namespace

std::vector<std::size_t> widths_of(const task_graph& graph) {
    std::vector<std::size_t> widths;
    for (const task_graph::task& each : graph.tasks) {
        widths.resize(std::max(widths.size(), each.depth + 1));
        ++widths[each.depth];
    }
    return widths;
}

task_graph_layout layout_of(const task_graph& graph) {
    task_graph_layout layout;
    layout.columns = widths_of(graph).size();
    layout.sync_columns = sync_columns(graph);
    line_finder(graph, layout).find();
    row_finder(layout).find();
    return layout;
}

}  // namespace teff::cli
