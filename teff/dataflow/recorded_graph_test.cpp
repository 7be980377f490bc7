// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The properties that are computed from a recorded task graph, on graphs made by hand.
#include <teff/dataflow/recorded_graph.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace teff::dataflow {
namespace {

using enum depend::access_kind;
using entries = std::vector<std::uint32_t>;

class sample {
public:
    std::uint32_t function(std::uint32_t follows = no_task) {
        recorded_task made;
        made.follows = follows;
        graph.tasks.push_back(made);
        return static_cast<std::uint32_t>(graph.tasks.size() - 1);
    }
    std::uint32_t task(std::uint32_t spawner, std::int64_t own_ns, std::initializer_list<recorded_access> accesses,
                       std::int64_t offset_ns = 0) {
        recorded_task made;
        made.spawner = spawner;
        made.own_ns = own_ns;
        made.offset_ns = offset_ns;
        made.syncs_before = graph.tasks[spawner].syncs;
        made.sync_offset_ns = graph.tasks[spawner].last_sync_ns;
        made.first_access = static_cast<std::uint32_t>(graph.accesses.size());
        made.access_count = static_cast<std::uint32_t>(accesses.size());
        graph.accesses.insert(graph.accesses.end(), accesses);
        graph.tasks.push_back(made);
        return static_cast<std::uint32_t>(graph.tasks.size() - 1);
    }
    void sync(std::uint32_t spawner, std::int64_t own_ns = 0) {
        ++graph.tasks[spawner].syncs;
        graph.tasks[spawner].last_sync_ns = own_ns;
    }

    recorded_graph graph;
};

recorded_access access(std::uint64_t object, depend::access_kind kind) { return {object, nullptr, kind}; }
// `out` of an object that can be renamed.
recorded_access renaming(std::uint64_t object) { return {object, nullptr, out, false, true}; }

bool has(const graph_facts& facts, const entries& from, const entries& to) {
    for (const dependence& each : facts.dependences)
        if (each.from == from && each.to == to)
            return true;
    return false;
}

using place = std::pair<std::uint32_t, std::uint32_t>;
place place_of(const graph_facts& facts, std::size_t access) {
    return {facts.accesses[access].version, facts.accesses[access].generation};
}

TEST(recorded_graph, without_tasks_nothing_follows) {
    sample some;
    EXPECT_EQ(facts_of(some.graph).span_ns, 0);
    some.function();
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.work_ns, 0);
    EXPECT_EQ(facts.parallelism(), 0);
    EXPECT_EQ(facts.critical_path, entries{});
}

TEST(recorded_graph, a_chain_has_no_parallelism_and_no_transitive_dependences) {
    sample some;
    const auto f = some.function();
    const auto a = some.task(f, 10, {access(1, inout)});
    const auto b = some.task(f, 20, {access(1, inout)});
    const auto c = some.task(f, 30, {access(1, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.work_ns, 60);
    EXPECT_EQ(facts.span_ns, 60);
    EXPECT_EQ(facts.critical_path, (entries{a, b, c}));
    EXPECT_EQ(facts.dependences.size(), 2U);
    EXPECT_TRUE(has(facts, {a}, {b}));
    EXPECT_TRUE(has(facts, {b}, {c}));
    EXPECT_EQ(facts.tasks[c].depth, 2U);
    EXPECT_EQ(facts.tasks[c].number, 3U);
    EXPECT_EQ(place_of(facts, 2), place(0, 2));
}

TEST(recorded_graph, the_longer_side_of_a_diamond_is_critical) {
    sample some;
    const auto f = some.function();
    const auto top = some.task(f, 10, {renaming(1), renaming(2)});
    const auto left = some.task(f, 20, {access(1, in), renaming(3)});
    const auto right = some.task(f, 50, {access(2, in), renaming(4)});
    const auto bottom = some.task(f, 5, {access(3, in), access(4, in)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.work_ns, 85);
    EXPECT_EQ(facts.span_ns, 65);
    EXPECT_EQ(facts.critical_path, (entries{top, right, bottom}));
    EXPECT_FALSE(facts.tasks[left].is_critical);
    EXPECT_EQ(facts.tasks[right].critical_ns, 50);
    EXPECT_DOUBLE_EQ(facts.parallelism(), 85.0 / 65);
    EXPECT_EQ(facts.tasks[left].depth, facts.tasks[right].depth);
    EXPECT_EQ(facts.tasks[bottom].depth, 2U);
}

TEST(recorded_graph, an_overwritten_object_has_two_versions_without_dependences) {
    sample some;
    const auto f = some.function();
    const auto first = some.task(f, 10, {renaming(1)});
    const auto reader = some.task(f, 10, {access(1, in)});
    const auto second = some.task(f, 10, {renaming(1)});
    const auto last = some.task(f, 10, {access(1, in)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(place_of(facts, 0), place(0, 0));
    EXPECT_EQ(place_of(facts, 1), place(0, 1));
    EXPECT_EQ(place_of(facts, 2), place(1, 0));
    EXPECT_EQ(place_of(facts, 3), place(1, 1));
    EXPECT_EQ(facts.dependences.size(), 2U);
    EXPECT_TRUE(has(facts, {first}, {reader}));
    EXPECT_TRUE(has(facts, {second}, {last}));
    EXPECT_EQ(facts.span_ns, 20);
    EXPECT_EQ(facts.tasks[second].depth, 0U);
}

TEST(recorded_graph, out_without_renaming_waits_for_all) {
    sample some;
    const auto f = some.function();
    const auto reader = some.task(f, 10, {access(1, in)});
    const auto writer = some.task(f, 10, {access(1, out)});
    const auto next = some.task(f, 10, {access(1, out)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.span_ns, 30);
    EXPECT_TRUE(has(facts, {reader}, {writer}));
    EXPECT_TRUE(has(facts, {writer}, {next}));
    EXPECT_EQ(place_of(facts, 2), place(0, 2));
}

TEST(recorded_graph, tasks_of_a_generation_depend_on_all_of_the_one_before) {
    for (const depend::access_kind kind : {in, commutative, concurrent}) {
        sample some;
        const auto f = some.function();
        const auto writer = some.task(f, 5, {access(1, inout)});
        const auto a = some.task(f, 10, {access(1, kind)});
        const auto b = some.task(f, 30, {access(1, kind)});
        const auto c = some.task(f, 20, {access(1, kind)});
        const auto last = some.task(f, 5, {access(1, inout)});
        const graph_facts facts = facts_of(some.graph);
        EXPECT_EQ(facts.dependences.size(), 2U);
        EXPECT_TRUE(has(facts, {writer}, {a, b, c}));
        EXPECT_TRUE(has(facts, {a, b, c}, {last}));
        EXPECT_EQ(facts.span_ns, 40);
        EXPECT_EQ(facts.critical_path, (entries{writer, b, last}));
        EXPECT_EQ(place_of(facts, 3), place(0, 1));
    }
}

TEST(recorded_graph, other_kinds_and_other_operations_begin_a_generation) {
    constexpr int plus = 0, times = 0;
    sample some;
    const auto f = some.function();
    some.task(f, 10, {{1, &plus, concurrent}});
    some.task(f, 10, {{1, &plus, concurrent}});
    some.task(f, 10, {{1, &times, concurrent}});
    some.task(f, 10, {access(1, commutative)});
    some.task(f, 10, {access(1, in)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(place_of(facts, 1), place(0, 0));
    EXPECT_EQ(place_of(facts, 2), place(0, 1));
    EXPECT_EQ(place_of(facts, 3), place(0, 2));
    EXPECT_EQ(place_of(facts, 4), place(0, 3));
    EXPECT_EQ(facts.span_ns, 40);
}

TEST(recorded_graph, objects_addresses_and_numbers_are_kept_apart) {
    sample some;
    const auto f = some.function();
    some.task(f, 10, {access(7, inout)});
    some.task(f, 10, {{7, nullptr, inout, true}});
    some.task(f, 10, {access(8, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_TRUE(facts.dependences.empty());
    ASSERT_EQ(facts.objects.size(), 3U);
    EXPECT_EQ(facts.objects[0].address, 0U);
    EXPECT_EQ(facts.objects[1].address, 7U);
    EXPECT_EQ(facts.accesses[2].object, 2U);
}

TEST(recorded_graph, a_sync_orders_tasks_without_common_objects) {
    sample some;
    const auto f = some.function();
    some.task(f, 10, {access(1, inout)});
    const auto longer = some.task(f, 40, {access(2, inout)});
    some.sync(f);
    const auto after = some.task(f, 5, {access(3, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.span_ns, 45);
    EXPECT_EQ(facts.critical_path, (entries{longer, after}));
    EXPECT_TRUE(facts.dependences.empty());
    EXPECT_EQ(facts.tasks[after].depth, 1U);
}

TEST(recorded_graph, a_task_goes_on_while_its_tasks_run_and_ends_with_the_last_of_them) {
    sample some;
    const auto f = some.function();
    const auto parent = some.task(f, 10, {access(1, inout)});
    const auto child = some.task(parent, 20, {access(1, inout)}, 4);
    const auto next = some.task(f, 7, {access(1, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.work_ns, 37);
    EXPECT_EQ(facts.span_ns, 4 + 20 + 7);
    EXPECT_EQ(facts.critical_path, (entries{parent, child, next}));
    EXPECT_EQ(facts.tasks[parent].critical_ns, 4);
    EXPECT_EQ(facts.tasks[child].depth, 1U);
    EXPECT_EQ(facts.tasks[next].depth, 2U);
    // In program order the child comes before its parent's next sibling.
    EXPECT_EQ(facts.tasks[child].number, 2U);
}

TEST(recorded_graph, a_sync_inside_a_task_holds_it_up) {
    sample some;
    const auto f = some.function();
    const auto parent = some.task(f, 10, {});
    some.task(parent, 20, {}, 4);
    some.sync(parent, 6);
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.span_ns, 4 + 20 + 4);
    EXPECT_EQ(facts.tasks[parent].critical_ns, 8);
}

TEST(recorded_graph, a_sync_inside_a_task_counts_from_where_it_was) {
    sample some;
    const auto f = some.function();
    const auto parent = some.task(f, 30, {});
    some.task(parent, 3, {}, 1);
    some.sync(parent, 10);
    some.task(parent, 100, {}, 20);
    some.sync(parent, 20);
    // 20 until the second child is spawned: the first one has ended long before the sync.
    EXPECT_EQ(facts_of(some.graph).span_ns, 20 + 100 + 10);
}

TEST(recorded_graph, siblings_with_tasks_of_their_own_are_independent) {
    sample some;
    const auto f = some.function();
    const auto a = some.task(f, 0, {access(1, in)});
    const auto b = some.task(f, 0, {access(1, in)});
    // As they were spawned by two threads.
    const auto a1 = some.task(a, 10, {access(1, in)});
    const auto b1 = some.task(b, 20, {access(1, in)});
    const auto a2 = some.task(a, 10, {access(2, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.program_order, (entries{a, a1, a2, b, b1}));
    EXPECT_EQ(facts.span_ns, 20);
    EXPECT_EQ(facts.critical_path, (entries{b, b1}));
    EXPECT_TRUE(facts.dependences.empty());
}

TEST(recorded_graph, versions_are_counted_within_each_function) {
    sample some;
    const auto f = some.function();
    const auto parent = some.task(f, 1, {access(1, inout)});
    some.task(parent, 1, {renaming(1)});
    some.task(parent, 1, {renaming(1)});
    some.task(f, 1, {access(1, in)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(place_of(facts, 1), place(0, 0));
    EXPECT_EQ(place_of(facts, 2), place(1, 0));
    EXPECT_EQ(place_of(facts, 3), place(0, 1));
    EXPECT_EQ(facts.objects.size(), 1U);
}

TEST(recorded_graph, functions_of_one_thread_follow_each_other) {
    sample some;
    const auto first = some.function();
    const auto a = some.task(first, 10, {});
    const auto second = some.function(first);
    const auto b = some.task(second, 20, {});
    const auto other = some.function();
    const auto c = some.task(other, 25, {});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.span_ns, 30);
    EXPECT_EQ(facts.critical_path, (entries{a, b}));
    EXPECT_EQ(facts.tasks[b].depth, 1U);
    EXPECT_EQ(facts.tasks[c].depth, 0U);
}

TEST(recorded_graph, tasks_without_time_have_a_critical_path) {
    sample some;
    const auto f = some.function();
    some.task(f, 0, {access(1, inout)});
    some.task(f, 0, {access(1, inout)});
    const graph_facts facts = facts_of(some.graph);
    EXPECT_EQ(facts.span_ns, 0);
    EXPECT_FALSE(facts.critical_path.empty());
}

TEST(recorded_graph, large_generations_are_one_dependence) {
    constexpr std::uint32_t count = 50'000;
    sample some;
    const auto f = some.function();
    for (std::uint32_t i = 0; i != count; ++i)
        some.task(f, 1, {access(1, in)});
    for (std::uint32_t i = 0; i != count; ++i)
        some.task(f, 1, {access(1, commutative)});
    const graph_facts facts = facts_of(some.graph);
    ASSERT_EQ(facts.dependences.size(), 1U);
    EXPECT_EQ(facts.dependences[0].from.size(), count);
    EXPECT_EQ(facts.dependences[0].to.size(), count);
    EXPECT_EQ(facts.span_ns, 2);
}

TEST(recorded_graph, tasks_may_be_nested_deeply) {
    constexpr std::uint32_t count = 100'000;
    sample some;
    std::uint32_t innermost = some.function();
    for (std::uint32_t i = 0; i != count; ++i)
        innermost = some.task(innermost, 2, {access(1, inout)}, i == 0 ? 0 : 1);
    const graph_facts facts = facts_of(some.graph);
    // Each is spawned after half of its parent's time.
    EXPECT_EQ(facts.span_ns, count - 1 + 2);
    EXPECT_EQ(facts.critical_path.size(), count);
    EXPECT_EQ(facts.tasks[innermost].depth, count - 1);
}

}  // namespace
}  // namespace teff::dataflow
