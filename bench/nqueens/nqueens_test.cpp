// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nqueens finds the known number of solutions, with the recorded number of tasks.
#include <bench/nqueens/nqueens.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>
#include <bench/micro/micro.hpp>

#include <gtest/gtest.h>

#include <cstdlib>

namespace bench::nqueens {
namespace {

TEST(nqueens, attacked_columns_are_those_in_line_with_a_queen) {
    board queens;
    for (const unsigned column : {3U, 0U, 6U}) queens = queens.with(column);
    const unsigned size = 8;
    for (unsigned next = 0; next < size; ++next) {
        bool attacked = false;
        for (unsigned row = 0; row < 3; ++row) {
            const int aside = std::abs(static_cast<int>(queens.column(row)) - static_cast<int>(next));
            attacked = attacked || aside == 0 || aside == 3 - static_cast<int>(row);
        }
        EXPECT_EQ((queens.safe_columns(size) >> next & 1) == 0, attacked) << next;
    }
    EXPECT_EQ(queens.safe_columns(size) >> size, 0U);
}

TEST(nqueens, columns_are_halved) {
    EXPECT_EQ(lower_half(0b110), 0b010U);
    EXPECT_EQ(lower_half(0b1011), 0b0001U);
    EXPECT_EQ(lower_half(0b1101'0100), 0b0001'0100U);
    EXPECT_EQ(lower_half(0b1), 0U);
}

template <class Rule> work_done count(Rule rule) {
    const auto body_and_one = [rule](auto& pool, const board& queens) {
        return work_done{1, body<Rule>{rule}(pool, queens)};
    };
    return reduce_on_stack(body_and_one, board{});
}

TEST(nqueens, finds_the_known_solutions_with_the_recorded_tasks) {
    for (unsigned size = 1; size <= 11; ++size) {
        const work_done found = count(no_cutoff{size});
        const outcome result = checked(of_size(std::to_string(size)), 0, found.sum);
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", expected " << result.expected;
        EXPECT_EQ(result.tasks, found.tasks) << size;
        EXPECT_EQ(recursive(board{}, size), found.sum) << size;
    }
}

TEST(nqueens, a_cutoff_changes_the_tasks_and_not_the_solutions) {
    std::uint64_t tasks_before = 0;
    for (long cutoff = 9; cutoff >= 0; --cutoff) {
        parameters asked = of_size("8");
        asked.cutoff = cutoff;
        with_rule(asked, [&](auto rule) {
            const work_done found = count(rule);
            const outcome result = checked(asked, 0, found.sum);
            EXPECT_TRUE(result.verified) << cutoff;
            EXPECT_EQ(result.tasks, found.tasks) << cutoff;
            EXPECT_GE(found.tasks, tasks_before) << cutoff;
            EXPECT_EQ(cutoff >= 8, found.tasks == 1) << cutoff;
            EXPECT_EQ(cutoff == 7, found.tasks == 8) << cutoff;
            tasks_before = found.tasks;
            return result;
        });
    }
    EXPECT_EQ(tasks_before, checked(of_size("8"), 0, 92).tasks);
}

TEST(nqueens, knows_the_published_numbers) {
    EXPECT_TRUE(checked(of_size("12"), 0, 14'200).verified);
    EXPECT_TRUE(checked(of_size("13"), 0, 73'712).verified);
    EXPECT_TRUE(checked(of_size("14"), 0, 365'596).verified);
    EXPECT_FALSE(checked(of_size("13"), 0, 73'713).verified);
}

TEST(nqueens, sizes_out_of_range_are_refused) {
    EXPECT_EQ(size(of_size("nqueens:9")), 9U);
    EXPECT_THROW(size(of_size("0")), usage_error);
    EXPECT_THROW(size(of_size("16")), usage_error);
}

}  // namespace
}  // namespace bench::nqueens
