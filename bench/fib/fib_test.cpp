// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tasks of fib add up to the Fibonacci number, and there are as many as the runners report.
#include <bench/fib/fib.hpp>

#include <bench/harness/stack.hpp>
#include <bench/harness/testing.hpp>
#include <bench/micro/micro.hpp>

#include <gtest/gtest.h>

namespace bench::fib {
namespace {

template <class Rule> work_done count(Rule rule, std::size_t num) {
    const auto body_and_one = [rule](auto& pool, std::size_t task) {
        return work_done{1, body<Rule>{rule}(pool, task)};
    };
    return reduce_on_stack(body_and_one, num);
}

parameters with_cutoff(std::size_t num, long cutoff) {
    parameters made = of_size(std::to_string(num));
    made.cutoff = cutoff;
    return made;
}

TEST(fib, counts_every_leaf_of_the_tree) {
    for (std::size_t num = 0; num <= 20; ++num) {
        const work_done found = count(no_cutoff{}, num);
        EXPECT_EQ(found.sum, recursive(num)) << num;
        const outcome result = checked(of_size(std::to_string(num)), 0, found.sum);
        EXPECT_TRUE(result.verified) << num;
        EXPECT_EQ(result.tasks, found.tasks) << num;
    }
}

TEST(fib, has_as_many_leaves_as_published) { EXPECT_EQ(checked(of_size("40"), 0, 102'334'155).tasks, 165'580'141U); }

TEST(fib, a_cutoff_changes_the_tasks_and_not_the_number) {
    for (const long cutoff : {0L, 1L, 2L, 3L, 4L, 9L, 17L, 18L, 19L, 100L}) {
        const parameters asked = with_cutoff(18, cutoff);
        with_rule(asked, [&](auto rule) {
            const work_done found = count(rule, 18);
            const outcome result = checked(asked, 0, found.sum);
            EXPECT_TRUE(result.verified) << cutoff;
            EXPECT_EQ(result.tasks, found.tasks) << cutoff;
            return result;
        });
    }
    EXPECT_EQ(checked(with_cutoff(18, 19), 0, 2584).tasks, 1U);
}

TEST(fib, a_wrong_number_is_not_verified) { EXPECT_FALSE(checked(of_size("20"), 0, 6766).verified); }

TEST(fib, sizes_out_of_range_are_refused) {
    EXPECT_EQ(argument(of_size("fib:30")), 30U);
    EXPECT_THROW(argument(of_size("61")), usage_error);
    EXPECT_THROW(argument(of_size("-1")), usage_error);
}

}  // namespace
}  // namespace bench::fib
