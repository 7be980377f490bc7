// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text of a small graph, in both languages.
#include <teff/dataflow/graph_text.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace teff::dataflow {
namespace {

using enum depend::access_kind;

recorded_task task_of(std::uint32_t spawner, std::uint32_t name, std::int64_t begin_ns, std::int64_t own_ns) {
    recorded_task made;
    made.spawner = spawner;
    made.name = name;
    made.begin_ns = begin_ns;
    made.own_ns = own_ns;
    made.end_ns = begin_ns + own_ns;
    made.outcome = task_outcome::ended;
    return made;
}

// Two writers, a reader of both, and after a sync one that failed, which had spawned another one.
struct small_graph {
    small_graph() {
        graph.tasks.emplace_back();
        graph.accesses = {
            {1, nullptr, inout}, {4096, nullptr, inout, true}, {1, nullptr, in}, {4096, nullptr, in, true}};
        for (std::uint32_t i = 0; i != 2; ++i) {
            graph.tasks.push_back(task_of(0, 2, 100, 1000));
            graph.tasks.back().first_access = i;
            graph.tasks.back().access_count = 1;
        }
        graph.tasks.push_back(task_of(0, 1, 1200, 500));
        graph.tasks.back().first_access = 2;
        graph.tasks.back().access_count = 2;
        graph.tasks[0].syncs = 1;
        graph.tasks.push_back(task_of(0, 3, 1800, 250));
        graph.tasks.back().syncs_before = 1;
        graph.tasks.back().thread = 1;
        graph.tasks.back().outcome = task_outcome::failed;
        graph.tasks.push_back(task_of(4, 3, 0, 0));
        graph.tasks.back().outcome = task_outcome::waiting;
    }
    recorded_graph graph;
    std::vector<std::string> names = {"unused", "read", "write \"x\"", std::string(50, 'n')};
    const std::vector<unsigned> workers = {0, 3};

    template <class Write>
    std::string text(Write&& write) const {
        char* memory = nullptr;
        std::size_t size = 0;
        std::FILE* const to = ::open_memstream(&memory, &size);
        const graph_facts facts = facts_of(graph);
        write(to, graph_text_input{graph, facts, names, workers, 7});
        std::fclose(to);
        std::string result(memory, size);
        std::free(memory);
        return result;
    }
};

TEST(graph_text, json) {
    const std::string expected = R"({"teff_dataflow_graph":1,
"work_ns":2750,"span_ns":1750,"parallelism":1.5714,"elapsed_ns":1950,"tasks_left_out":7,
"threads":["caller","worker 3"],
"functions":["write \"x\"","read","nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"],
"addresses":[null,"0x1000"],
"tasks":[
{"task":1,"parent":0,"outermost":1,"function":0,"thread":0,)"
                                 R"("outcome":"ended","begin_ns":100,"end_ns":1100,"own_ns":1000,)"
                                 R"("depth":0,"syncs_before":0,"critical_ns":1000,)"
                                 R"("accesses":[{"object":0,"kind":"inout","version":0,"generation":0}]},
{"task":2,"parent":0,"outermost":1,"function":0,"thread":0,)"
                                 R"("outcome":"ended","begin_ns":100,"end_ns":1100,"own_ns":1000,)"
                                 R"("depth":0,"syncs_before":0,"critical_ns":0,)"
                                 R"("accesses":[{"object":1,"kind":"inout","version":0,"generation":0}]},
{"task":3,"parent":0,"outermost":1,"function":1,"thread":0,)"
                                 R"("outcome":"ended","begin_ns":1200,"end_ns":1700,"own_ns":500,)"
                                 R"("depth":1,"syncs_before":0,"critical_ns":500,)"
                                 R"("accesses":[{"object":0,"kind":"in","version":0,"generation":1},)"
                                 R"({"object":1,"kind":"in","version":0,"generation":1}]},
{"task":4,"parent":0,"outermost":1,"function":2,"thread":1,)"
                                 R"("outcome":"failed","begin_ns":1800,"end_ns":2050,"own_ns":250,)"
                                 R"("depth":2,"syncs_before":1,"critical_ns":250,"accesses":[]},
{"task":5,"parent":4,"outermost":1,"function":2,"thread":-1,)"
                                 R"("outcome":"waiting","begin_ns":0,"end_ns":0,"own_ns":0,)"
                                 R"("depth":3,"syncs_before":0,"critical_ns":0,"accesses":[]}],
"dependences":[
{"object":0,"from":[1],"to":[3]},
{"object":1,"from":[2],"to":[3]}],
"critical_path":[1,3,4]}
)";
    EXPECT_EQ(small_graph().text(write_json), expected);
}

// Names that would end a string or an element, and bytes that are no UTF-8.
TEST(graph_text, names_cannot_leave_their_strings) {
    small_graph some;
    some.names = {"unused", "a\"b\\c\n\x1b", "<!-- <script>&amp;", "\xff\xc3"};
    const std::string json = some.text(write_json);
    EXPECT_NE(json.find("\"functions\":[\"\\u003c!-- \\u003cscript>&amp;\",\"a\\\"b\\\\c\\u000a\\u001b\","
                        "\"\uFFFD\uFFFD\"],\n"),
              std::string::npos)
        << json;
    const std::string dot = some.text(write_dot);
    for (const char* part : {"[tooltip=\"a\\\"b\\\\c\uFFFD\uFFFD\", label=\"a\\\"b\\\\c\uFFFD\uFFFD\"+",
                             "[tooltip=\"<!-- <script>&amp;amp;\", ", "[tooltip=\"\uFFFD\uFFFD\", "})
        EXPECT_NE(dot.find(part), std::string::npos) << part << dot;
}

TEST(graph_text, json_of_an_empty_graph) {
    small_graph some;
    some.graph = {};
    const std::string seen = some.text(write_json);
    EXPECT_NE(seen.find("\"functions\":[],\n\"addresses\":[],\n\"tasks\":[],\n\"dependences\":[],\n"
                        "\"critical_path\":[]}\n"),
              std::string::npos)
        << seen;
}

TEST(graph_text, dot) {
    const std::string seen = small_graph().text(write_dot);
    for (const std::string_view line :
         {"// 5 tasks, 7 left out\ndigraph dataflow {\n", "label=\"work 0.003 ms, span 0.002 ms, parallelism 1.57\";\n",
          "t1 [tooltip=\"write \\\"x\\\"\", label=\"write \\\"x\\\"\"+\"\\n1: 1.0 us\", fillcolor=\"#a6d5f2\", "
          "color=\"#c8102e\", penwidth=2.5];\n",
          "label=\"nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn...\"+\"\\n4: 0.2 us, failed\"", "\\n5: 0.0 us, waiting",
          "t1 -> t3 [color=\"#c8102e\", penwidth=2];\n", "t2 -> t3;\n",
          // The sync stands between.
          "s0_1 [label=\"sync\"", "t3 -> s0_1 [style=dotted, arrowhead=none];\n", "s0_1 -> t4 [style=dotted];\n",
          // The nested task is in the box of its parent.
          "subgraph cluster_4 {\n", "t4 -> t5 [style=dashed];\n"})
        EXPECT_NE(seen.find(line), std::string::npos) << line << "\n" << seen;
    EXPECT_EQ(seen.find("t1 -> s0_1"), std::string::npos);
    EXPECT_LT(seen.find("cluster_4"), seen.find("t4 ["));
    EXPECT_TRUE(seen.ends_with("}\n"));
}

TEST(graph_text, dot_cuts_long_names_between_characters) {
    small_graph some;
    some.names[3].replace(39, std::string::npos, "\u00fc");
    const std::string seen = some.text(write_dot);
    EXPECT_NE(seen.find("label=\"" + std::string(39, 'n') + "...\"+\"\\n4: "), std::string::npos) << seen;
}

TEST(graph_text, dot_has_a_point_between_large_generations) {
    small_graph some;
    some.graph = {};
    some.graph.tasks.emplace_back();
    for (std::uint32_t i = 0; i != 6; ++i) {
        some.graph.tasks.push_back(task_of(0, 1, 0, 1));
        some.graph.tasks.back().first_access = i;
        some.graph.tasks.back().access_count = 1;
        some.graph.accesses.push_back({1, nullptr, i < 3 ? in : commutative});
    }
    const std::string seen = some.text(write_dot);
    for (const std::string_view line : {"t3 -> j0 [arrowhead=none];\n", "j0 -> t4;\n", "j0 [shape=point"})
        EXPECT_NE(seen.find(line), std::string::npos) << line << "\n" << seen;
    EXPECT_EQ(seen.find("t1 -> t4"), std::string::npos);
}

// As many tasks as a record has. In quadratic time it takes 16 s, and minutes under AddressSanitizer.
TEST(graph_text, dot_of_a_generation_with_many_syncs) {
    constexpr std::uint32_t count = 100'000;
    small_graph some;
    some.graph = {};
    some.graph.tasks.emplace_back();
    for (std::uint32_t i = 0; i != count; ++i) {
        some.graph.tasks.push_back(task_of(0, 1, 0, 1));
        some.graph.tasks.back().first_access = i;
        some.graph.tasks.back().access_count = 1;
        // The writer and the first two readers come before the first sync.
        some.graph.tasks.back().syncs_before = i < 3 ? 0 : i - 2;
        some.graph.accesses.push_back({1, nullptr, i == 0 ? inout : in});
    }
    some.graph.tasks[0].syncs = count - 3;
    const std::string seen = some.text(write_dot);
    EXPECT_NE(seen.find("t1 -> t2"), std::string::npos);
    EXPECT_NE(seen.find("t1 -> t3"), std::string::npos);
    EXPECT_EQ(seen.find("t1 -> t4"), std::string::npos);
    EXPECT_NE(seen.find("s0_1 -> t4 [style=dotted]"), std::string::npos);
}

}  // namespace
}  // namespace teff::dataflow
