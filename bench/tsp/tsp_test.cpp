// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tree of tsp is complete (all tours, and only tours), and its cheapest tour is the one that other methods find.
#include <bench/tsp/tsp.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace bench::tsp {
namespace {

// Tries all orders of the cities.
std::int32_t cheapest_by_permutation(const problem& input) {
    std::vector<std::size_t> order(static_cast<std::size_t>(input.cities));
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::int32_t cheapest = std::numeric_limits<std::int32_t>::max();
    do {
        std::int32_t cost = input.weight[order.back()][order.front()];
        for (std::size_t index = 1; index < order.size(); ++index) cost += input.weight[order[index - 1]][order[index]];
        cheapest = std::min(cheapest, cost);
    } while (std::next_permutation(order.begin() + 1, order.end()));
    return cheapest;
}

TEST(tsp, dynamic_programming_agrees_with_permutations) {
    for (int cities = min_cities; cities <= 9; ++cities) {
        const problem input = make_problem(cities);
        EXPECT_EQ(held_karp(input), cheapest_by_permutation(input)) << cities;
    }
}

TEST(tsp, finds_every_tour_once) {
    EXPECT_EQ(number_of_tours(4), 3U);
    EXPECT_EQ(number_of_tours(12), 19'958'400U);
    for (int cities = min_cities; cities <= 9; ++cities) {
        const problem input = make_problem(cities);
        const result found = reduce_on_stack(body{input}, first_task(input));
        EXPECT_EQ(found.tours, number_of_tours(cities)) << cities;
        EXPECT_EQ(found.cheapest, held_karp(input)) << cities;
        EXPECT_EQ(found.tasks, recorded_tasks(cities)) << cities;
        EXPECT_TRUE(checked(input, 0, found).verified);
    }
}

TEST(tsp, an_incomplete_result_is_not_verified) {
    const problem input = make_problem(7);
    result found = reduce_on_stack(body{input}, first_task(input));
    --found.tours;
    EXPECT_FALSE(checked(input, 0, found).verified);
    ++found.tours;
    ++found.cheapest;
    EXPECT_FALSE(checked(input, 0, found).verified);
}

TEST(tsp, sizes_out_of_range_are_refused) {
    EXPECT_EQ(problem_of(of_size("tsp:9")).cities, 9);
    EXPECT_THROW(problem_of(of_size("3")), usage_error);
    EXPECT_THROW(problem_of(of_size("14")), usage_error);
}

}  // namespace
}  // namespace bench::tsp
