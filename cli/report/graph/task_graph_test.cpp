// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of task_graph.hpp and task_graph_layout.hpp: what is read from the library's file, where tasks are drawn, and
// what the pictures and the table show.
#include <cli/report/graph/task_graph.hpp>

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cli/report/graph/task_graph_layout.hpp>
#include <cli/test_support.hpp>

namespace teff::cli {
namespace {

// Two tasks that write, one that reads both, and after a sync one that failed and the one that it had spawned.
std::string graph_text(const std::string& version = "1", const std::string& dependences = "") {
    return R"({"teff_dataflow_graph":)" + version +
           R"(,"work_ns":2750000,"span_ns":1750000,"parallelism":1.5714,"elapsed_ns":1950000,"tasks_left_out":0,
"threads":["caller","worker 3"],"functions":["write <x>","main()::<lambda(int)>"],"addresses":[null,"0x1000"],"tasks":[
{"task":1,"parent":0,"outermost":1,"function":0,"thread":0,"outcome":"ended","begin_ns":0,"end_ns":1000000,
"own_ns":1000000,"depth":0,"syncs_before":0,"critical_ns":1000000,
"accesses":[{"object":0,"kind":"inout","version":0,"generation":0}]},
{"task":2,"parent":0,"outermost":1,"function":0,"thread":1,"outcome":"ended","begin_ns":0,"end_ns":1000000,
"own_ns":1000000,"depth":0,"syncs_before":0,"critical_ns":0,
"accesses":[{"object":1,"kind":"inout","version":0,"generation":0}]},
{"task":3,"parent":0,"outermost":1,"function":1,"thread":0,"outcome":"ended","begin_ns":1000000,"end_ns":1500000,
"own_ns":500000,"depth":1,"syncs_before":0,"critical_ns":500000,
"accesses":[{"object":0,"kind":"in","version":0,"generation":1},{"object":1,"kind":"in","version":0,"generation":1}]},
{"task":4,"parent":0,"outermost":1,"function":1,"thread":0,"outcome":"failed","begin_ns":1700000,"end_ns":1950000,
"own_ns":250000,"depth":2,"syncs_before":1,"critical_ns":250000,"accesses":[]},
{"task":5,"parent":4,"outermost":1,"function":1,"thread":-1,"outcome":"not_called","begin_ns":0,"end_ns":0,
"own_ns":0,"depth":3,"syncs_before":0,"critical_ns":0,"accesses":[]}],
"dependences":[)" + dependences +
           R"({"object":0,"from":[1],"to":[3]},{"object":1,"from":[2],"to":[3]}],"critical_path":[1,3,4]})";
}

task_graph sample() { return read_task_graph(graph_text()); }

std::string complaint_about_graph(const std::string& text) {
    return complaint_of<std::runtime_error>([&] { (void)read_task_graph(text); });
}

std::size_t count_of(const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t place = text.find(part); place != std::string::npos; place = text.find(part, place + 1))
        ++count;
    return count;
}

// Tasks of one function; each depends on those that are named.
class made_graph {
public:
    made_graph() { graph.functions = {"f"}, graph.threads = {"caller"}, graph.addresses = {""}; }
    std::size_t task(std::size_t depth, const std::vector<std::size_t>& after = {}) {
        task_graph::task made;
        made.depth = depth;
        made.outcome = "ended";
        made.own_us = 10;
        graph.tasks.push_back(made);
        graph.work_us += 10;
        const std::size_t self = graph.tasks.size() - 1;
        if (!after.empty())
            graph.dependences.push_back({0, after, {self}});
        return self;
    }
    task_graph graph;
};

TEST(task_graph, is_read) {
    const task_graph seen = sample();
    EXPECT_DOUBLE_EQ(seen.work_us, 2750);
    EXPECT_DOUBLE_EQ(seen.span_us, 1750);
    ASSERT_EQ(seen.tasks.size(), 5U);
    EXPECT_EQ(seen.tasks[2].accesses.size(), 2U);
    EXPECT_EQ(seen.tasks[2].accesses[1].kind, "in");
    EXPECT_EQ(seen.tasks[2].accesses[1].generation, 1U);
    EXPECT_TRUE(seen.tasks[2].is_critical);
    EXPECT_FALSE(seen.tasks[1].is_critical);
    EXPECT_EQ(seen.tasks[3].parent, no_index);
    EXPECT_EQ(seen.tasks[4].parent, 3U);
    EXPECT_EQ(seen.tasks[4].thread, no_index);
    EXPECT_EQ(seen.dependences[1].from, std::vector<std::size_t>{1});
    EXPECT_EQ(seen.critical_path, (std::vector<std::size_t>{0, 2, 3}));
}

TEST(task_graph, other_texts_are_refused_with_a_reason) {
    EXPECT_EQ(complaint_about_graph(""), "it is empty");
    EXPECT_EQ(complaint_about_graph("{\"teff"), "it is no JSON");
    EXPECT_TRUE(has(complaint_about_graph("{}"), "it is no task graph of Teff ("));
    EXPECT_EQ(complaint_about_graph(graph_text("2")), "it is of a version that this command does not know");
    for (const char* wrong : {R"({"object":0,"from":[9],"to":[3]},)", R"({"object":7,"from":[1],"to":[3]},)",
                              R"({"object":0,"from":[0],"to":[3]},)"})
        EXPECT_TRUE(has(complaint_about_graph(graph_text("1", wrong)), "a number that stands for something"));
}

TEST(task_graph, the_table_has_a_line_for_each_function) {
    const std::string table = task_graph_table(sample());
    EXPECT_TRUE(has(table, "5 tasks, work 2.75 ms, span 1.75 ms, parallelism 1.57; took 1.95 ms on 2 threads\n"));
    EXPECT_TRUE(has(table, "write <x>           2    2.000     1000         1        1.000\n")) << table;
    EXPECT_TRUE(has(table, "lambda in main")) << table;
    EXPECT_LT(table.find("write <x>"), table.find("lambda"));
}

TEST(task_graph, names_of_functions_are_short_and_differ) {
    task_graph graph;
    graph.functions = {"{anonymous}::solve(int)::<lambda(const tile&)>", "(lambda at /a/b.cpp:3:4)",
                       "(anonymous namespace)::step",                    "solve(int)::<lambda(int)>",
                       "program+0x12"};
    std::vector<std::string> names(graph.functions.size());
    for (const function_share& each : shares_of(graph))
        names[each.function] = each.name;
    EXPECT_EQ(names, (std::vector<std::string>{"lambda in solve", "lambda at b.cpp:3:4", "step", "lambda in solve (2)",
                                               "program+0x12"}));
}

TEST(task_graph, columns_are_depths_and_syncs_are_between_them) {
    const task_graph graph = sample();
    const task_graph_layout layout = layout_of(graph);
    EXPECT_EQ(layout.columns, 4U);
    EXPECT_EQ(layout.sync_columns, std::vector<std::size_t>{2});
    EXPECT_EQ(layout.places[2].column, 1U);
    // In the middle of the two that it depends on.
    EXPECT_NEAR(layout.places[2].row, (layout.places[0].row + layout.places[1].row) / 2, 0.01);
    // Two dependences, and the task that was spawned; none over the sync.
    EXPECT_EQ(layout.lines.size(), 3U);
    EXPECT_EQ(layout.lines.back().places, (std::vector<std::size_t>{3, 4}));
    EXPECT_TRUE(layout.lines.back().objects.empty());
}

TEST(task_graph, tasks_of_a_column_do_not_overlap) {
    made_graph made;
    for (std::size_t i = 0; i < 30; ++i)
        made.task(0);
    for (std::size_t i = 0; i < 30; ++i)
        made.task(1 + i % 3, {i, (i * 7) % 30});
    const task_graph_layout layout = layout_of(made.graph);
    for (std::size_t a = 0; a < layout.places.size(); ++a) {
        EXPECT_GE(layout.places[a].row, 0);
        EXPECT_LE(layout.places[a].row, layout.rows);
        for (std::size_t b = 0; b < a; ++b) {
            const bool is_near = std::abs(layout.places[a].row - layout.places[b].row) < 0.999;
            EXPECT_FALSE(a < 60 && layout.places[a].column == layout.places[b].column && is_near) << a << ' ' << b;
        }
    }
}

TEST(task_graph, lines_pass_between_the_tasks_of_a_column) {
    made_graph made;
    const std::size_t first = made.task(0), second = made.task(1, {first});
    made.task(2, {first, second});
    made.task(2, {first});
    const task_graph_layout layout = layout_of(made.graph);
    // One passage for both lines of the first task.
    ASSERT_EQ(layout.places.size(), 5U);
    EXPECT_EQ(layout.places[4].column, 1U);
    EXPECT_GT(std::abs(layout.places[4].row - layout.places[second].row), 0.5);
}

TEST(task_graph, large_generations_meet_in_a_point) {
    made_graph made;
    for (int i = 0; i < 6; ++i)
        made.task(i < 3 ? 0 : 1);
    made.graph.dependences.push_back({0, {0, 1, 2}, {3, 4, 5}});
    const task_graph_layout layout = layout_of(made.graph);
    EXPECT_EQ(layout.lines.size(), 6U);
    EXPECT_EQ(layout.places.back().kind, task_graph_layout::place_kind::joint);
    EXPECT_TRUE(has(task_graph_plot(made.graph, "x"), "class=\"g-point\"><title>object 0</title>"));
}

TEST(task_graph, the_picture_of_a_small_graph_has_boxes_lines_and_the_critical_path) {
    const std::string markup = task_graph_plot(sample(), "graph of <x>");
    EXPECT_TRUE(markup.starts_with("<svg viewBox"));
    EXPECT_TRUE(has(markup, "aria-label=\"graph of &lt;x&gt;\""));
    for (const char* part :
         {"5 tasks, work 2.75 ms, span 1.75 ms, parallelism 1.57; took 1.95 ms on 2 threads",
          ">write &lt;x&gt;: 2 in 2 ms</text>", ">write &lt;x&gt;</text>", ">500 us</text>", ">sync</text>",
          ">critical path: 3 tasks in 1.75 ms</text>",
          ">0 ms</text>", ">not ended, failed or not called</text>",
          "<title>lambda in main: task 3, 500 us on caller\nin object 0, version 0, generation 1\n"
          "in 0x1000, version 0, generation 1</title>",
          "<title>lambda in main: task 5, 0 s, spawned by task 4, not called</title>", "<title>spawned</title>"})
        EXPECT_TRUE(has(markup, part)) << part;
    // Tasks 1, 3 and 4, and the legend.
    EXPECT_EQ(count_of(markup, " g-critical\""), 4U);
    // From 1 to 3 by an object, and over the sync.
    EXPECT_EQ(count_of(markup, "g-path\"><title>object 0</title>"), 1U);
    EXPECT_EQ(count_of(markup, "g-path\"><title>critical path</title>"), 1U);
    // Two tasks are crossed out; the legend has a cross, too.
    EXPECT_EQ(count_of(markup, "class=\"g-failed\""), 3U);
}

TEST(task_graph, a_large_graph_is_shown_by_depth) {
    made_graph made;
    for (std::size_t depth = 0; depth < 500; ++depth) {
        made.graph.critical_path.push_back(made.task(depth));
        made.graph.tasks.back().is_critical = true;
        made.graph.tasks.back().critical_us = 2;
    }
    made.graph.span_us = 1000;
    for (int i = 0; i < 99; ++i)
        made.task(7);
    made.graph.tasks_left_out = 3;
    const std::string markup = task_graph_plot(made.graph, "x");
    EXPECT_TRUE(has(markup, ">tasks by depth</text>"));
    EXPECT_TRUE(has(markup, "; 3 later tasks were not recorded"));
    // The ticks of a hundred tasks at a depth.
    EXPECT_TRUE(has(markup, ">100</text>"));
    EXPECT_EQ(markup.find("g-edge"), std::string::npos);
    // One path for the tasks by depth, and one for the critical path.
    EXPECT_EQ(count_of(markup, "g-bar"), 2U);
    EXPECT_TRUE(has(markup, "<title>f: 500 tasks, 1 ms on the critical path</title>")) << markup;
    EXPECT_LT(markup.size(), 60'000U);
}

TEST(task_graph, what_is_drawn_for_the_report_says_whether_it_is_a_summary) {
    const drawn_task_graph small(sample(), "small");
    EXPECT_TRUE(small.has_boxes);
    EXPECT_EQ(small.tasks, 5U);
    EXPECT_DOUBLE_EQ(small.work_us, 2750);
    EXPECT_DOUBLE_EQ(small.span_us, 1750);
    EXPECT_DOUBLE_EQ(small.parallelism, 1.5714);
    EXPECT_EQ(small.picture, task_graph_plot(sample(), "small"));
    // Too many tasks, too many at one depth, and too many depths.
    for (const std::size_t depths : {1U, 7U, 65U}) {
        made_graph made;
        for (std::size_t i = 0; i < (depths == 7 ? 401 : 65); ++i)
            made.task(i % depths);
        EXPECT_FALSE(has_boxes(made.graph)) << depths;
        EXPECT_FALSE(drawn_task_graph(made.graph, "x").has_boxes);
    }
}

TEST(task_graph, functions_beyond_the_colours_share_one) {
    made_graph made;
    made.graph.functions.clear();
    for (int i = 0; i < 12; ++i) {
        made.graph.functions.push_back(fmt::format("f{}", i));
        made.graph.tasks[made.task(0)].function = static_cast<std::size_t>(i);
    }
    EXPECT_TRUE(has(task_graph_plot(made.graph, "x"), ">5 other functions</text>"));
}

TEST(task_graph, without_tasks_there_is_still_a_picture) {
    EXPECT_TRUE(task_graph_plot(task_graph{}, "x").ends_with("</svg>\n"));
    EXPECT_TRUE(has(task_graph_table(task_graph{}), "0 tasks"));
}

TEST(task_graph, as_a_file_it_needs_nothing_else) {
    const std::string file = task_graph_file(sample(), "fib & co");
    EXPECT_TRUE(has(file, "xmlns=\"http://www.w3.org/2000/svg\""));
    EXPECT_TRUE(has(file, ".g-0 { fill:"));
    EXPECT_TRUE(has(file, ">fib &amp; co</text>"));
}

}  // namespace
}  // namespace teff::cli
