// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-benchmarks of kind dataflow, with the version without threads (these tests link serial.cpp): their checks
// notice what is wrong, and the fit of growth is right.
#include <bench/dataflow/programs.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace bench {

namespace {

parameters asked(const std::string& size, const std::string& variant) {
    parameters made = of_size(size);
    made.variant = variant;
    made.pace = 1000;
    return made;
}

TEST(spawn_delay, counts_both_kinds_of_tasks_in_every_usage) {
    for (const variant_description& each : spawn_delay_description.variants(runtime_family::serial)) {
        const outcome result = run_spawn_delay(asked("100", each.name));
        EXPECT_TRUE(result.verified) << each.name << ": " << result.answer << " instead of " << result.expected;
        EXPECT_EQ(result.tasks, 100U);
        const double added = value_of(result, "delay_ns") - value_of(result, "baseline_ns");
        EXPECT_NEAR(value_of(result, "overhead_ns"), added, 1e-6);
    }
}

TEST(spawn_delay, a_lost_task_or_a_wrong_value_is_noticed) {
    const parameters inout = asked("10", "inout");
    const spawn_delay::found right{.baseline = {10, 45}, .done = {10, 45}, .last_value = 10};
    EXPECT_TRUE(spawn_delay::checked(inout, right).verified);
    spawn_delay::found wrong = right;
    wrong.baseline.tasks = 9;
    EXPECT_FALSE(spawn_delay::checked(inout, wrong).verified);
    wrong = right;
    wrong.done.sum = 46;
    EXPECT_FALSE(spawn_delay::checked(inout, wrong).verified);
    wrong = right;
    wrong.last_value = 9;
    EXPECT_FALSE(spawn_delay::checked(inout, wrong).verified);
    // The last task that overwrites the value decides it.
    EXPECT_FALSE(spawn_delay::checked(asked("10", "out"), right).verified);
    wrong.last_value = 9;
    EXPECT_TRUE(spawn_delay::checked(asked("10", "out"), wrong).verified);
}

TEST(generations, a_lost_task_is_noticed) {
    const generations::shape three{3, 10};
    EXPECT_EQ(three.all_tasks(), 20U);
    EXPECT_TRUE(generations::checked(three, {.tasks = 40, .spawn_seconds = 1, .seconds = 2}, 2).verified);
    EXPECT_FALSE(generations::checked(three, {.tasks = 39, .spawn_seconds = 1, .seconds = 2}, 2).verified);
}

TEST(generations, edges_between_all_pairs_take_memory) {
    const generations::shape three{3, 10'000};
    parameters p = asked("3x10000", "commutative");
    p.tracker = "tickets";
    const std::uint64_t counters = generations::memory_bytes(p, runtime_family::teff, three);
    p.tracker = "graph";
    EXPECT_GT(generations::memory_bytes(p, runtime_family::teff, three), counters + 1'000'000'000);
}

TEST(gate, is_missed_by_the_thread_that_opens_it) {
    dataflow::gate first;
    first.pass();
    EXPECT_TRUE(first.is_missed());
    dataflow::gate second;
    std::atomic<bool> has_passed{false};
    std::thread other([&] {
        second.pass();
        has_passed.store(true);
    });
    EXPECT_FALSE(has_passed.load());
    second.open();
    other.join();
    EXPECT_FALSE(second.is_missed());
    int trials = 0;
    EXPECT_EQ(dataflow::with_gate([&](dataflow::gate& each) {
                  if (++trials < 3) each.pass();
                  return trials;
              }),
              3);
}

TEST(growth, the_exponent_is_that_of_the_power) {
    std::vector<growth::point> points;
    for (const double tasks : {1000.0, 1778.0, 3162.0, 10000.0}) points.push_back({tasks, 3e-9 * std::pow(tasks, 1.7)});
    EXPECT_NEAR(growth::exponent(points), 1.7, 1e-9);
    points = {{10, 5}, {100, 5}};
    EXPECT_NEAR(growth::exponent(points), 0, 1e-9);
}

TEST(growth, goes_from_the_least_to_the_greatest_number) {
    EXPECT_EQ(growth::series_of(of_size("3x1000x10000")).tasks,
              (std::vector<std::uint64_t>{1000, 1778, 3162, 5623, 10000}));
    EXPECT_EQ(growth::series_of(of_size("2x1x2")).tasks, (std::vector<std::uint64_t>{1, 2}));
    for (const char* size : {"4x10x100", "2x10", "2x100x150", "2x0x10"})
        EXPECT_THROW(growth::series_of(of_size(size)), usage_error) << size;
    const growth::series two{2, {10, 20}};
    EXPECT_TRUE(growth::checked(two, {{.tasks = 10, .seconds = 1}, {.tasks = 20, .seconds = 2}}).verified);
    EXPECT_FALSE(growth::checked(two, {{.tasks = 10, .seconds = 1}, {.tasks = 19, .seconds = 2}}).verified);
}

TEST(arguments, a_task_that_came_too_early_is_noticed) {
    const arguments::work of = arguments::work_of(of_size("3x30000"));
    EXPECT_EQ(of.programs, 1U);
    EXPECT_TRUE(arguments::checked(of, {30'000, 90'000, 1}).verified);
    EXPECT_FALSE(arguments::checked(of, {30'000, 89'999, 1}).verified) << "it has read a value that was not written";
    EXPECT_THROW(arguments::work_of(of_size("21x10")), usage_error);
}

TEST(task_length, every_task_is_counted) {
    const outcome result = run_task_length(asked("50x100", "tasks"));
    EXPECT_TRUE(result.verified) << result.answer;
    EXPECT_FALSE(task_length::checked(of_size("50x100"), {99, 99}, 1).verified);
}

TEST(block_product, both_orders_give_the_same_and_a_wrong_order_does_not) {
    const outcome ijk = run_block_product(asked("5x10", "ijk"));
    EXPECT_TRUE(ijk.verified) << ijk.answer << " instead of " << ijk.expected;
    EXPECT_EQ(ijk.tasks, 125U);
    const outcome kij = run_block_product(asked("5x10", "kij"));
    EXPECT_TRUE(kij.verified);
    EXPECT_EQ(ijk.answer, kij.answer);
    using block_product::mixed;
    EXPECT_NE(mixed(mixed(0, 1, 2), 3, 4), mixed(mixed(0, 3, 4), 1, 2));
}

TEST(cholesky_graph, has_the_tasks_of_a_factorization) {
    const outcome result = run_cholesky_graph(asked("6x10", "tasks"));
    EXPECT_TRUE(result.verified) << result.answer << " instead of " << result.expected;
    std::uint64_t tasks = 0;
    const auto count = [&](auto...) { ++tasks; };
    cholesky_graph::each_task(6, count, count, count);
    EXPECT_EQ(result.tasks, tasks);
    EXPECT_FALSE(cholesky_graph::checked({2, 10}, 1, {1, 2, 3}, 1).verified);
}

TEST(dataflow_kernels, sizes_out_of_range_are_refused) {
    EXPECT_THROW(spawn_delay::tasks(of_size("0")), usage_error);
    EXPECT_THROW(generations::shape_of(of_size("4x10")), usage_error);
    EXPECT_THROW(task_length::work_of(of_size("10")), usage_error);
    EXPECT_THROW(block_product::work_of(of_size("513x1")), usage_error);
    EXPECT_THROW(cholesky_graph::work_of(of_size("0x1")), usage_error);
}

TEST(dataflow_kernels, families_have_what_their_runtimes_can_do) {
    const auto names = [](runtime_family family) {
        std::string all;
        for (const variant_description& each : generations_description.variants(family))
            all += each.name + std::string(" ");
        return all;
    };
    EXPECT_EQ(names(runtime_family::serial), "");
    EXPECT_EQ(names(runtime_family::teff), "in out inout commutative reduction large_reduction ");
    EXPECT_EQ(names(runtime_family::starpu), "in out inout commutative ");
    EXPECT_TRUE(dataflow::variants(runtime_family::starpu, {.nested_tasks = true}).empty());
    EXPECT_TRUE(dataflow::variants(runtime_family::tbb, {.reductions = true}).empty());
    EXPECT_EQ(dataflow::variants(runtime_family::tbb, {.nested_tasks = true}).size(), 1U);
}

}  // namespace
}  // namespace bench
