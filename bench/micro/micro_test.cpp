// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The task program, its check and its delays, tested with the version without threads (these tests link serial.cpp).
#include <bench/micro/micro.hpp>

#include <bench/distribution/distribution.hpp>
#include <bench/harness/testing.hpp>
#include <bench/overhead/overhead.hpp>
#include <bench/producers/producers.hpp>
#include <bench/queue_size/queue_size.hpp>
#include <bench/steal/steal.hpp>

#include <tuple>

#include <gtest/gtest.h>

namespace bench {
namespace {

parameters paced(const std::string& size) {
    parameters made = of_size(size);
    made.pace = 1000;
    return made;
}

TEST(delay, iterations_follow_the_pace) {
    EXPECT_EQ(delay_iterations(3000, 100), 300U);
    EXPECT_EQ(delay_iterations(3456, 1), 3U);
    EXPECT_EQ(delay_iterations(100, 1), 1U) << "something at least";
    EXPECT_EQ(delay_iterations(3000, 0), 0U);
    EXPECT_GT(measured_pace(), 0U);
}

TEST(worker_number, each_thread_keeps_its_own) {
    EXPECT_EQ(worker_number(), worker_number());
    tasks_per_worker per_worker;
    per_worker.own() += {3, 7};
    EXPECT_EQ(per_worker.total().tasks, 3U);
    const std::vector<double> tasks = per_worker.tasks_by_worker(2);
    EXPECT_GE(tasks.size(), 2U);
    EXPECT_EQ(std::count(tasks.begin(), tasks.end(), 3.0), 1);
}

TEST(micro, every_task_of_the_program_is_checked) {
    const task_program program = task_program::equal_sources(3, 5, {.iterations = 1});
    EXPECT_EQ(program.tasks(), 15U);
    EXPECT_EQ(program.sources[2].first, 10U);
    program_result found = run_program(of_size("quick"), program);
    EXPECT_TRUE(found.checked(program).verified);
    EXPECT_EQ(found.checked(program).expected, "15 tasks, numbers 105");
    found.done.sum -= 1;
    EXPECT_FALSE(found.checked(program).verified) << "one twice, another not";
    found.done = {14, 105};
    EXPECT_FALSE(found.checked(program).verified) << "the one with number 0 not";
}

TEST(overhead, is_what_is_left_of_the_time) {
    const outcome result = run_overhead(paced("100x1000"));
    EXPECT_TRUE(result.verified);
    EXPECT_EQ(result.tasks, 1000U);
    EXPECT_EQ(value_of(result, "delay_ns"), 100);
    EXPECT_NEAR(value_of(result, "overhead_ns"), result.seconds * 1e6 - 100, 1e-6);
}

TEST(micro, the_delta_of_a_worker_is_its_distance_from_an_equal_share) {
    program_result found;
    found.done.tasks = 300;
    found.tasks_by_worker = {150, 150, 0};
    const std::vector<measure> measures = worker_measures(found, 3);
    EXPECT_EQ(measures[1].values, (std::vector<double>{0.5, 0.5, 1}));
    EXPECT_NEAR(measures[2].values.front(), 2.0 / 3, 1e-12);
}

// The version without threads is a single worker. It runs the work of all four threads, which is four times its
// share.
TEST(micro, all_benchmarks_of_tasks_run_what_they_say) {
    parameters asked = paced("10x5001");
    asked.threads = 4;
    const outcome spread = run_distribution(asked);
    EXPECT_TRUE(spread.verified);
    EXPECT_EQ(spread.tasks, 5000U);
    const outcome stolen = run_steal(asked);
    EXPECT_TRUE(stolen.verified);
    EXPECT_EQ(stolen.tasks, 5001U);
    EXPECT_NEAR(value_of(stolen, "delta_mean"), 3, 1e-12) << "four times its share";
    asked.size = "7x50x3";
    const outcome loaded = run_queue_size(asked);
    EXPECT_TRUE(loaded.verified);
    EXPECT_EQ(loaded.tasks, 4U * (10 + 50));
    EXPECT_EQ(value_of(loaded, "long_us"), 3);
    for (const measure& each : loaded.measures) EXPECT_STRNE(each.name, "capacity") << "only Teff has one";
    asked.size = "3x5001";
    for (const auto& [variant, producers, tasks] : {std::tuple{"one", 1, 5001U}, std::tuple{"half", 2, 5000U}}) {
        asked.variant = variant;
        const outcome created = run_producers(asked);
        EXPECT_TRUE(created.verified);
        EXPECT_EQ(created.tasks, tasks);
        EXPECT_EQ(value_of(created, "producers"), producers);
        EXPECT_NEAR(value_of(created, "throughput") * created.seconds, tasks, 1e-6);
    }
}

TEST(micro, random_lengths_are_the_same_in_every_run_and_within_the_bound) {
    EXPECT_EQ(seeded_random(5).below(129), seeded_random(5).below(129));
    for (std::uint64_t number = 0; number < 1000; ++number) EXPECT_LE(seeded_random(number).below(129), 128U);
}

}  // namespace
}  // namespace bench
