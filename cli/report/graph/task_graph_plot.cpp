// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drawing a task graph; see task_graph.hpp.
//
// From top to bottom: the heading; the summary; a legend of the functions; the graph, or the number of tasks over the
// depth; the critical path over time.
#include <cli/report/graph/task_graph.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <cli/report/drawing/svg.hpp>
#include <cli/report/graph/task_graph_layout.hpp>
#include <cli/text.hpp>

namespace teff::cli {

namespace {

constexpr std::size_t colours = 8;  // the last one is for all other functions
constexpr std::size_t most_boxes = 400, most_columns = 64, most_rows = 64;
constexpr double margin = 16, least_width = 760, most_width = 1200;
constexpr double letter_width = 6.6;

std::string time_text(double us) { return format_seconds(us / 1e6); }

double text_width(const std::string& text) { return letter_width * static_cast<double>(characters_in(text)); }

std::string cut(const std::string& text, double width) {
    const auto most = static_cast<std::size_t>(std::max(width / letter_width, 1.0));
    return characters_in(text) <= most ? text
                                       : std::string(first_characters(text, most > 2 ? most - 2 : most)) + "..";
}

bool can_have_boxes(const task_graph& graph, const std::vector<std::size_t>& widths) {
    const std::size_t rows = widths.empty() ? 0 : *std::max_element(widths.begin(), widths.end());
    return graph.tasks.size() <= most_boxes && widths.size() <= most_columns && rows <= most_rows;
}

class task_graph_picture {
public:
    task_graph_picture(const task_graph& graph, const std::string& title, bool has_heading)
        : graph_(graph), shares_(shares_of(graph)), rank_(graph.functions.size()), names_(graph.functions.size()),
          widths_(widths_of(graph)), has_boxes_(can_have_boxes(graph, widths_)) {
        for (std::size_t i = 0; i < shares_.size(); ++i) {
            rank_[shares_[i].function] = std::min(i, colours - 1);
            names_[shares_[i].function] = shares_[i].name;
        }
        if (has_boxes_)
            layout_ = layout_of(graph);
        choose_sizes();
        place_legend(has_heading ? 52 : 26);
        const double end = graph_top_ + graph_height_ + strip_room;
        svg_picture picture(width_, end, title);
        if (has_heading)
            picture.text(margin, 22, anchor::start, cut(title, width_ - 2 * margin), "class=\"strong\"");
        picture.text(margin, has_heading ? 44 : 18, anchor::start, summary_of(graph));
        add_legend(picture);
        if (has_boxes_)
            add_graph(picture);
        else
            add_profile(picture);
        add_critical_path(picture, graph_top_ + graph_height_ + 30);
        picture_ = std::make_unique<svg_picture>(std::move(picture));
    }

    [[nodiscard]] const svg_picture& picture() const { return *picture_; }

private:
    static constexpr double strip_room = 86, strip_height = 20;

    struct legend_entry {
        double x, y;
        std::string text;
        std::string style;
        std::string hint;
        bool is_crossed = false;
    };

    void choose_sizes() {
        if (!has_boxes_) {
            width_ = most_width;
            graph_height_ = 260;
            return;
        }
        const double columns = static_cast<double>(std::max<std::size_t>(layout_.columns, 1));
        const double rows = std::max(layout_.rows, 1.0);
        pitch_ = std::clamp((most_width - 2 * margin) / columns, 22.0, 150.0);
        has_labels_ = pitch_ >= 76;
        box_width_ = has_labels_ ? pitch_ - std::clamp(pitch_ * 0.28, 20.0, 34.0) : std::min(pitch_ * 0.55, 22.0);
        row_pitch_ = has_labels_ ? std::clamp(900 / rows, 38.0, 46.0) : std::clamp(640 / rows, 11.0, 26.0);
        box_height_ = has_labels_ ? 32 : row_pitch_ * 0.62;
        width_ = std::max(least_width, 2 * margin + pitch_ * columns);
        graph_height_ = row_pitch_ * rows + 24;
    }

    [[nodiscard]] std::string style_of(const task_graph::task& task) const {
        return fmt::format("class=\"g-{}{}\"", rank_[task.function], task.is_critical ? " g-critical" : "");
    }

    // In rows; the graph begins below them.
    void place_legend(double y) {
        double x = margin;
        const auto place = [&](const std::string& text, const std::string& style, const std::string& hint) {
            const double width = 22 + text_width(text) + 22;
            if (x > margin && x + width > width_) {
                x = margin;
                y += 20;
            }
            legend_.push_back({x, y, text, style, hint});
            x += width;
        };
        for (std::size_t i = 0; i < std::min(shares_.size(), colours - 1); ++i)
            place(fmt::format("{}: {} in {}", cut(shares_[i].name, 300), shares_[i].tasks,
                              time_text(shares_[i].own_us)),
                  fmt::format("class=\"g-{}\"", i), graph_.functions[shares_[i].function]);
        if (shares_.size() == colours)
            place(cut(shares_.back().name, 300), fmt::format("class=\"g-{}\"", colours - 1), "");
        else if (shares_.size() > colours)
            place(fmt::format("{} other functions", shares_.size() - colours + 1),
                  fmt::format("class=\"g-{}\"", colours - 1), "");
        if (has_boxes_)
            place("critical path", "class=\"g-none g-critical\"", "");
        if (has_boxes_ && std::any_of(graph_.tasks.begin(), graph_.tasks.end(), [](const task_graph::task& each) {
                return each.outcome != "ended";
            }))
            place("not ended, failed or not called", "class=\"g-none g-failed\"", "");
        legend_.back().is_crossed = legend_.back().style.find("g-failed") != std::string::npos;
        graph_top_ = y + 24;
    }

    void add_legend(svg_picture& picture) const {
        for (const legend_entry& each : legend_) {
            picture.rectangle(each.x, each.y, 14, 12, each.style, each.hint);
            if (each.is_crossed)
                add_cross(picture, each.x, each.y, 14, 12, "");
            picture.text(each.x + 20, each.y + 10.5, anchor::start, each.text, "class=\"value\"");
        }
    }

    // The left edge of a place in the layout; the first places are those of the tasks.
    [[nodiscard]] double left_of(std::size_t place) const {
        const task_graph_layout::place& at = layout_.places[place];
        const double column = margin + pitch_ * static_cast<double>(at.column);
        return at.kind == task_graph_layout::place_kind::joint ? column : column + (pitch_ - box_width_) / 2;
    }
    [[nodiscard]] double right_of(std::size_t place) const {
        const bool is_joint = layout_.places[place].kind == task_graph_layout::place_kind::joint;
        return left_of(place) + (is_joint ? 0 : box_width_);
    }
    [[nodiscard]] double middle_of(std::size_t place) const {
        return graph_top_ + 18 + row_pitch_ * layout_.places[place].row;
    }

    [[nodiscard]] std::string curve(std::size_t from, std::size_t to) const {
        const double x1 = right_of(from), y1 = middle_of(from), x2 = left_of(to), y2 = middle_of(to);
        const double bend = std::max((x2 - x1) / 2, 6.0);
        std::string shape = fmt::format("M{:.1f} {:.1f}C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", x1, y1, x1 + bend,
                                        y1, x2 - bend, y2, x2, y2);
        if (layout_.places[to].kind == task_graph_layout::place_kind::passage)
            shape += fmt::format("H{:.1f}", right_of(to));
        return shape;
    }

    [[nodiscard]] std::string object_text(std::size_t object) const {
        return graph_.addresses[object].empty() ? fmt::format("object {}", object) : graph_.addresses[object];
    }

    [[nodiscard]] std::string hint_of(std::size_t place) const {
        const task_graph::task& task = graph_.tasks[place];
        std::string text = fmt::format("{}: task {}, {}", names_[task.function], place + 1, time_text(task.own_us));
        if (task.thread != no_index)
            text += " on " + graph_.threads[task.thread];
        if (task.parent != no_index)
            text += fmt::format(", spawned by task {}", task.parent + 1);
        if (task.outcome != "ended")
            text += task.outcome == "not_called" ? ", not called" : ", " + task.outcome;
        for (const task_graph::access& each : task.accesses)
            text += fmt::format("\n{} {}, version {}, generation {}", each.kind, object_text(each.object), each.version,
                                each.generation);
        return text;
    }

    void add_graph(svg_picture& picture) const {
        const double end = graph_top_ + graph_height_;
        for (const std::size_t column : layout_.sync_columns) {
            const double x = margin + pitch_ * static_cast<double>(column);
            picture.line(x, graph_top_ + 14, x, end, "class=\"one\"");
            picture.text(x, graph_top_ + 8, anchor::middle, "sync", "class=\"tick\"");
        }
        add_lines(picture);
        for (std::size_t i = 0; i < layout_.places.size(); ++i)
            if (layout_.places[i].kind == task_graph_layout::place_kind::joint)
                picture.circle(left_of(i), middle_of(i), 2.2, "class=\"g-point\"",
                               object_text(layout_.places[i].object));
        for (std::size_t i = 0; i < graph_.tasks.size(); ++i)
            add_box(picture, i);
    }

    using piece = std::pair<std::size_t, std::size_t>;  // two places

    template <class F>
    static void for_each_piece(const task_graph_layout::line& line, F&& f) {
        for (std::size_t i = 1; i < line.places.size(); ++i)
            f(piece{line.places[i - 1], line.places[i]});
    }

    // The pieces of the critical path. A sync, a point or the end of a task may be between two of its tasks.
    [[nodiscard]] std::set<piece> critical_pieces() const {
        std::set<piece> critical;
        for (std::size_t i = 1; i < graph_.critical_path.size(); ++i) {
            const piece ends{graph_.critical_path[i - 1], graph_.critical_path[i]};
            const auto found = layout_.line_between.find(ends);
            if (found == layout_.line_between.end())
                critical.insert(ends);
            else
                for_each_piece(layout_.lines[found->second], [&](const piece& each) { critical.insert(each); });
        }
        return critical;
    }

    // Each piece of a line once, also if several lines share it; the critical path above all others.
    void add_lines(svg_picture& picture) const {
        std::map<piece, std::set<std::size_t>> pieces;
        for (const task_graph_layout::line& line : layout_.lines)
            for_each_piece(line, [&](const piece& each) {
                pieces[each].insert(line.objects.begin(), line.objects.end());
            });
        const std::set<piece> critical = critical_pieces();
        for (const auto& [each, objects] : pieces)
            if (!critical.contains(each))
                picture.path(curve(each.first, each.second),
                             objects.empty() ? "class=\"g-edge g-spawn\"" : "class=\"g-edge\"", text_of(objects));
        for (const piece& each : critical) {
            const auto found = pieces.find(each);
            picture.path(curve(each.first, each.second), "class=\"g-edge g-path\"",
                         found == pieces.end() ? "critical path" : text_of(found->second));
        }
    }

    [[nodiscard]] std::string text_of(const std::set<std::size_t>& objects) const {
        if (objects.empty())
            return "spawned";
        std::string text;
        for (const std::size_t each : objects)
            text += (text.empty() ? "" : ", ") + object_text(each);
        return text;
    }

    void add_box(svg_picture& picture, std::size_t place) const {
        const task_graph::task& task = graph_.tasks[place];
        const double x = left_of(place), y = middle_of(place) - box_height_ / 2;
        const std::string hint = hint_of(place);
        picture.rectangle(x, y, box_width_, box_height_, style_of(task) + " rx=\"3\"", hint);
        if (task.outcome != "ended")
            add_cross(picture, x, y, box_width_, box_height_, hint);
        if (!has_labels_)
            return;
        const double middle = x + box_width_ / 2;
        picture.text(middle, y + 13.5, anchor::middle, cut(names_[task.function], box_width_ - 6), "class=\"g-name\"");
        picture.text(middle, y + 26.5, anchor::middle, time_text(task.own_us), "class=\"g-time\"");
    }

    static void add_cross(svg_picture& picture, double x, double y, double width, double height,
                          const std::string& hint) {
        picture.path(fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}m0 {:.1f}l{:.1f} {:.1f}", x, y, width, height, -height,
                                 -width, height),
                     "class=\"g-failed\"", hint);
    }

    // The number of tasks at each depth, by function. Where there are more depths than places, their mean.
    void add_profile(svg_picture& picture) const {
        const double left = margin + 46, right = width_ - margin, top = graph_top_ + 18;
        const double bottom = graph_top_ + graph_height_ - 22;
        constexpr std::size_t most_bins = 560;
        const std::size_t depths = widths_.size(), bins = std::min(depths, most_bins);
        std::vector<std::vector<double>> counts(colours, std::vector<double>(bins));
        std::vector<double> share(bins);
        for (std::size_t i = 0; i < depths; ++i)
            share[i * bins / depths] += 1;
        for (const task_graph::task& each : graph_.tasks) {
            const std::size_t bin = each.depth * bins / depths;
            counts[rank_[each.function]][bin] += 1 / share[bin];
        }
        double greatest = 1;
        for (std::size_t bin = 0; bin < bins; ++bin) {
            double sum = 0;
            for (const auto& each : counts)
                sum += each[bin];
            greatest = std::max(greatest, sum);
        }
        const axis up = axis::linear(greatest, bottom, top);
        for (const double tick : up.ticks()) {
            picture.line(left, up.position(tick), right, up.position(tick), "class=\"grid\"");
            picture.text(left - 6, up.position(tick) + 4, anchor::end, fmt::format("{:g}", tick), "class=\"tick\"");
        }
        picture.text(margin, graph_top_ + 8, anchor::start, bins < depths ? "mean tasks by depth" : "tasks by depth",
                     "class=\"tick\"");
        const axis across = axis::linear(static_cast<double>(depths), left, right);
        const double width = (across.position(static_cast<double>(depths)) - left) / static_cast<double>(bins);
        for (const double tick : across.ticks())
            picture.text(across.position(tick), bottom + 16, anchor::middle, fmt::format("{:g}", tick),
                         "class=\"tick\"");
        std::vector<double> below(bins);
        for (std::size_t colour = 0; colour < colours; ++colour) {
            std::string bars;
            for (std::size_t bin = 0; bin < bins; ++bin) {
                const double count = counts[colour][bin];
                if (count == 0)
                    continue;
                const double low = up.position(below[bin]), high = up.position(below[bin] + count);
                const double x = left + width * static_cast<double>(bin);
                bars += fmt::format("M{:.2f} {:.1f}h{:.2f}v{:.1f}h{:.2f}z", x, low, width, high - low, -width);
                below[bin] += count;
            }
            if (!bars.empty())
                picture.path(bars, fmt::format("class=\"g-{} g-bar\"", colour),
                             colour + 1 < colours ? shares_[colour].name : "other functions");
        }
    }

    void add_critical_path(svg_picture& picture, double y) const {
        constexpr std::size_t most_pieces = 200;
        const double left = margin, right = width_ - margin;
        picture.text(left, y - 8, anchor::start,
                     fmt::format("critical path: {} tasks in {}", graph_.critical_path.size(),
                                 time_text(graph_.span_us)),
                     "class=\"tick\"");
        const axis scale = axis::linear(graph_.span_us / 1000, left, left + (right - left) * 1.02);
        for (const double tick : scale.ticks())
            if (scale.position(tick) <= right + 0.5)
                picture.text(std::min(scale.position(tick), right - 14), y + strip_height + 16,
                             tick == 0 ? anchor::start : anchor::middle, fmt::format("{:g} ms", tick),
                             "class=\"tick\"");
        if (graph_.critical_path.size() > most_pieces)
            add_critical_shares(picture, y);
        else
            add_critical_tasks(picture, y, scale);
    }

    void add_critical_tasks(svg_picture& picture, double y, const axis& scale) const {
        double from_us = 0;
        for (const std::size_t each : graph_.critical_path) {
            const task_graph::task& task = graph_.tasks[each];
            const double x = scale.position(from_us / 1000);
            from_us += task.critical_us;
            picture.rectangle(x, y, std::max(scale.position(from_us / 1000) - x - 0.8, 0.2), strip_height,
                              fmt::format("class=\"g-{}\"", rank_[task.function]),
                              fmt::format("{}: task {}, {}", names_[task.function], each + 1,
                                          time_text(task.critical_us)));
        }
    }

    // For a path of many tasks: in each column of time the shares of the functions.
    void add_critical_shares(svg_picture& picture, double y) const {
        constexpr std::size_t columns = 480;
        std::vector<std::vector<double>> shares(colours, std::vector<double>(columns));
        const double column_us = std::max(graph_.span_us / static_cast<double>(columns), 1e-9);
        double from_us = 0;
        for (const std::size_t each : graph_.critical_path) {
            const task_graph::task& task = graph_.tasks[each];
            const double end_us = from_us + task.critical_us;
            for (auto column = static_cast<std::size_t>(from_us / column_us);
                 column < columns && static_cast<double>(column) * column_us < end_us; ++column) {
                const double low = std::max(from_us, static_cast<double>(column) * column_us);
                const double high = std::min(end_us, static_cast<double>(column + 1) * column_us);
                shares[rank_[task.function]][column] += std::max(high - low, 0.0) / column_us;
            }
            from_us = end_us;
        }
        const double width = (width_ - 2 * margin) / static_cast<double>(columns);
        std::vector<double> below(columns);
        for (std::size_t colour = 0; colour < colours; ++colour) {
            std::string bars;
            for (std::size_t column = 0; column < columns; ++column) {
                const double height = shares[colour][column] * strip_height;
                if (height < 0.05)
                    continue;
                bars += fmt::format("M{:.2f} {:.1f}h{:.2f}v{:.1f}h{:.2f}z",
                                    margin + width * static_cast<double>(column),
                                    y + strip_height - below[column], width, -height, -width);
                below[column] += height;
            }
            if (!bars.empty())
                picture.path(bars, fmt::format("class=\"g-{} g-bar\"", colour), critical_text(colour));
        }
    }

    [[nodiscard]] std::string critical_text(std::size_t colour) const {
        std::size_t tasks = 0;
        double us = 0;
        for (std::size_t i = 0; i < shares_.size(); ++i)
            if (std::min(i, colours - 1) == colour) {
                tasks += shares_[i].critical_tasks;
                us += shares_[i].critical_us;
            }
        return fmt::format("{}: {} tasks, {} on the critical path",
                           colour + 1 < colours ? shares_[colour].name : "other functions", tasks, time_text(us));
    }

    const task_graph& graph_;
    const std::vector<function_share> shares_;
    std::vector<std::size_t> rank_;     // by function: its colour
    std::vector<std::string> names_;    // by function
    const std::vector<std::size_t> widths_;
    const bool has_boxes_;
    bool has_labels_ = false;
    double width_ = 0, pitch_ = 0, box_width_ = 0, row_pitch_ = 0, box_height_ = 0;
    double graph_top_ = 0, graph_height_ = 0;
    std::vector<legend_entry> legend_;
    task_graph_layout layout_;
    std::unique_ptr<svg_picture> picture_;
};

}  // namespace

// Light enough for dark letters, and different for the colour-blind.
const char* const task_graph_style = R"css(.g-0 { fill: #7fbfe8; } .g-1 { fill: #f2b366; }
.g-2 { fill: #7fceb0; } .g-3 { fill: #e0a6c8; } .g-4 { fill: #efe07a; } .g-5 { fill: #8fa8d8; } .g-6 { fill: #d9a48c; }
.g-7 { fill: #c9ced4; } .g-none { fill: none; } .g-critical { stroke: #c8102e; stroke-width: 2; }
.g-edge { fill: none; stroke: #8a949d; stroke-width: 1; opacity: 0.75; } .g-point { fill: #8a949d; }
.g-spawn { stroke-dasharray: 4 3; } .g-path { stroke: #c8102e; stroke-width: 2; opacity: 1; }
.g-failed { fill: none; stroke: #1c2024; stroke-width: 1.2; }
svg .g-name { fill: #1c2024; font-size: 11.5px; } svg .g-time { fill: #3a4249; font-size: 11.5px; }
)css";

bool has_boxes(const task_graph& graph) { return can_have_boxes(graph, widths_of(graph)); }

drawn_task_graph::drawn_task_graph(const task_graph& graph, const std::string& title)
    : tasks(graph.tasks.size()), tasks_left_out(graph.tasks_left_out), work_us(graph.work_us), span_us(graph.span_us),
      elapsed_us(graph.elapsed_us), parallelism(graph.parallelism), has_boxes(teff::cli::has_boxes(graph)),
      picture(task_graph_plot(graph, title)) {}

std::string task_graph_plot(const task_graph& graph, const std::string& title) {
    return task_graph_picture(graph, title, false).picture().markup();
}

std::string task_graph_file(const task_graph& graph, const std::string& title) {
    return task_graph_picture(graph, title, true).picture().file(std::string(task_graph_style) + R"css(
text { font: 12.5px system-ui, "DejaVu Sans", sans-serif; fill: #1c2024; }
.tick, .value { fill: #4a535b; font-size: 11.5px; } .strong { font-weight: 700; font-size: 15px; }
.grid { stroke: #dde1e5; stroke-width: 1; } .one { stroke: #8a949d; stroke-width: 1; stroke-dasharray: 3 3; }
)css");
}

}  // namespace teff::cli
