// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// floorplan finds the known areas, for generated problems and for files, and visits the recorded number of nodes.
#include <bench/floorplan/floorplan.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::floorplan {
namespace {

template <class Bound> result search(const problem& input, Bound bound) {
    return reduce_on_stack(body<Bound>{input, bound}, first_task());
}

result search_with_shared_bound(const problem& input) {
    shared_bound bound;
    return reduce_on_stack(body<shared_bound>{input, bound}, first_task());
}

// Two cells side by side, each 2 x 3 or 3 x 2: the best rectangle is 2 x 6 or 3 x 4.
constexpr const char* two_cells = "2\n 2 2 3 3 2 0 -1 2\n 2 2 3 3 2 1 -1 0\n 12\n";

TEST(floorplan, two_cells_by_hand) {
    const written_file file(two_cells);
    const problem input = read_problem(file.path());
    ASSERT_EQ(input.last(), 2);
    EXPECT_EQ(input.optimum, 12U);
    // The first cell has two shapes, at the corner. The second cell can be placed at every height where it still
    // touches the first one.
    const result found = search(input, fixed_bound(64 * 64));
    EXPECT_EQ(found.smallest, 12U);
    EXPECT_EQ(found.tasks, 1U + 2U + (2U + 2U) + (3U + 3U));
}

TEST(floorplan, overlap_and_rectangle) {
    task node = first_task();
    node.next = 1;
    node.attempt = rectangle_at(0, 0, {2, 64});
    ASSERT_TRUE(is_free(node));
    EXPECT_EQ(area_with_attempt(node), 128U);
    occupy(node);
    node.attempt = rectangle_at(1, 63, {1, 1});
    EXPECT_FALSE(is_free(node));
    node.attempt = rectangle_at(2, 63, {62, 1});
    EXPECT_TRUE(is_free(node));
    EXPECT_EQ(area_with_attempt(node), 64U * 64U);
}

TEST(floorplan, generated_problems_have_the_recorded_optimum) {
    for (int cells = min_cells; cells <= 11; ++cells) {
        const problem input = make_problem(cells);
        EXPECT_EQ(search_serially(input, 64 * 64, true).smallest, input.optimum) << cells;
        EXPECT_EQ(search_with_shared_bound(input).smallest, input.optimum) << cells;
    }
}

TEST(floorplan, a_fixed_bound_visits_the_recorded_nodes) {
    for (int cells = min_cells; cells <= 12; ++cells) {
        const problem input = make_problem(cells);
        const result found = search(input, fixed_bound(input.optimum));
        EXPECT_EQ(found.smallest, input.optimum) << cells;
        EXPECT_EQ(found.tasks, input.tasks) << cells;
        EXPECT_EQ(search_serially(input, input.optimum, false).tasks, input.tasks) << cells;
    }
}

TEST(floorplan, wrong_results_are_not_verified) {
    const problem input = make_problem(min_cells);
    result found = search(input, fixed_bound(input.optimum));
    EXPECT_TRUE(checked(of_variant("nowait"), input, 0, found).verified);
    ++found.tasks;
    EXPECT_FALSE(checked(of_variant("nowait"), input, 0, found).verified);
    EXPECT_TRUE(checked(of_variant("shared"), input, 0, found).verified);
    EXPECT_FALSE(checked(of_variant("shared"), input, 0, result{}).verified);
}

TEST(floorplan, malformed_files_are_refused) {
    for (const char* text : {"", "0", "25", "1 1 3 3 0 -1 0", "1 1 65 3 0 -1 0 9", "1 1 3 3 -1 -1 0 9",
                             "1 1 3 3 0 -1 1 9", "2 1 3 3 2 -1 2 1 3 3 1 -1 0 9"}) {
        const written_file file(text);
        EXPECT_THROW(read_problem(file.path()), usage_error) << text;
    }
    EXPECT_THROW(problem_of(of_size("4")), usage_error);
    EXPECT_THROW(problem_of(of_size("17")), usage_error);
}

TEST(floorplan, the_smallest_sample_has_its_known_area) {
    const std::string path = sample_path("floorplan/input.5");
    if (path.empty()) GTEST_SKIP() << "no sample input.5";
    const problem input = read_problem(path);
    EXPECT_EQ(input.optimum, 216U);
    EXPECT_EQ(search_with_shared_bound(input).smallest, 216U);
    EXPECT_TRUE(checked(of_variant("nowait"), input, 0, search(input, fixed_bound(216))).verified);
}

TEST(floorplan, the_larger_samples_have_their_known_areas) {
    for (const auto& [name, area] : {std::pair{"15", 713U}, std::pair{"20", 896U}}) {
        const std::string path = sample_path(std::string("floorplan/input.") + name);
        if (path.empty()) GTEST_SKIP() << "no sample input." << name;
        const problem input = read_problem(path);
        EXPECT_EQ(input.optimum, area);
        EXPECT_EQ(search_serially(input, 64 * 64, true).smallest, area);
    }
}

}  // namespace
}  // namespace bench::floorplan
