// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// knapsack finds the known values, for generated problems and for files, and visits the counted number of nodes.
#include <bench/knapsack/knapsack.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::knapsack {
namespace {

result search_with_fixed_bound(const problem& input) {
    fixed_bound bound(input.optimum);
    return reduce_on_stack(body<fixed_bound>{input, bound}, first_task(input));
}

result search_with_shared_bound(const problem& input) {
    shared_bound bound;
    return reduce_on_stack(body<shared_bound>{input, bound}, first_task(input));
}

std::int64_t best_by_enumeration(const problem& input) {
    std::int64_t best = 0;
    for (std::uint32_t chosen = 0; chosen < 1U << input.items.size(); ++chosen) {
        std::int64_t value = 0;
        std::int64_t weight = 0;
        for (std::size_t index = 0; index < input.items.size(); ++index) {
            if ((chosen >> index & 1U) == 0) continue;
            value += input.items[index].value;
            weight += input.items[index].weight;
        }
        if (weight <= input.capacity) best = std::max(best, value);
    }
    return best;
}

TEST(knapsack, dynamic_programming_agrees_with_enumeration) {
    for (int items = min_items; items <= 14; ++items) {
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            const problem input = random_problem(items, seed);
            EXPECT_EQ(best_value(input), best_by_enumeration(input)) << items << " items, seed " << seed;
        }
    }
}

TEST(knapsack, searches_find_the_optimum) {
    for (int items = min_items; items <= 28; ++items) {
        const problem input = make_problem(items);
        const result found = search_with_fixed_bound(input);
        EXPECT_EQ(found.best, input.optimum) << items;
        EXPECT_EQ(found.tasks, count_tasks(input)) << items;
        EXPECT_EQ(search_with_shared_bound(input).best, input.optimum) << items;
    }
}

TEST(knapsack, items_are_sorted_by_density) {
    const problem input = make_problem(64);
    for (std::size_t index = 1; index < input.items.size(); ++index) {
        const item before = input.items[index - 1];
        const item after = input.items[index];
        EXPECT_GE(before.value * after.weight, after.value * before.weight) << index;
    }
}

TEST(knapsack, recorded_sizes_have_the_recorded_tasks) {
    for (const int items : {44, 46}) {
        const problem input = make_problem(items);
        EXPECT_NE(input.tasks, 0U) << items;
        EXPECT_EQ(count_tasks(input), input.tasks) << items;
    }
}

TEST(knapsack, wrong_results_are_not_verified) {
    const problem input = make_problem(20);
    result found = search_with_fixed_bound(input);
    EXPECT_TRUE(checked(of_variant("wait"), input, 0, found).verified);
    ++found.tasks;
    EXPECT_FALSE(checked(of_variant("wait"), input, 0, found).verified);
    EXPECT_TRUE(checked(of_variant("shared"), input, 0, found).verified);
    --found.best;
    EXPECT_FALSE(checked(of_variant("shared"), input, 0, found).verified);
}

TEST(knapsack, malformed_files_are_refused) {
    for (const char* text : {"", "0 10", "129 10", "1 10", "1 10 5", "1 10 5 0", "1 -1 5 5", "1 10 five 5"}) {
        const written_file file(text);
        EXPECT_THROW(read_problem(file.path()), usage_error) << text;
    }
    EXPECT_THROW(problem_of(of_size("3")), usage_error);
    EXPECT_THROW(problem_of(of_size("129")), usage_error);
}

struct sample {
    int items;
    std::int64_t best;
    bool search;
};

class knapsack_sample : public testing::TestWithParam<sample> {};

TEST_P(knapsack_sample, has_its_known_value) {
    const sample expected = GetParam();
    std::string number = std::to_string(expected.items);
    number.insert(0, 3 - number.size(), '0');
    const std::string path = sample_path("knapsack/knapsack-" + number + ".input");
    if (path.empty()) GTEST_SKIP() << "no sample of " << expected.items << " items";
    const problem input = read_problem(path);
    EXPECT_EQ(input.items.size(), static_cast<std::size_t>(expected.items));
    EXPECT_EQ(input.optimum, expected.best);
    if (!expected.search) return;
    const result found = search_with_fixed_bound(input);
    EXPECT_TRUE(checked(of_variant("nowait"), input, 0, found).verified);
    EXPECT_EQ(search_with_shared_bound(input).best, expected.best);
}

INSTANTIATE_TEST_SUITE_P(suite, knapsack_sample,
                         testing::Values(sample{12, 126, true}, sample{16, 201, true}, sample{20, 254, true},
                                         sample{24, 303, true}, sample{32, 404, true}, sample{36, 456, true},
                                         sample{40, 509, true}, sample{44, 559, true}, sample{48, 616, false},
                                         sample{64, 817, false}, sample{96, 1227, false}, sample{128, 1650, false}),
                         [](const auto& about) { return "items_" + std::to_string(about.param.items); });

}  // namespace
}  // namespace bench::knapsack
