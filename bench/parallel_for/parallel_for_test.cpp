// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The check of parallel_for detects an iteration that is lost or repeated.
#include <bench/parallel_for/parallel_for.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::parallel_for {
namespace {

TEST(parallel_for, an_iteration_lost_or_doubled_is_noticed) {
    input run = made(of_size("parallel_for:1000x3"));
    EXPECT_EQ(run.iterations(), 1000U);
    for (std::uint64_t loop = 0; loop < run.loops; ++loop)
        for (std::size_t index = 0; index < run.iterations(); ++index) run.iterate(index);
    const outcome right = checked(run, 0);
    EXPECT_TRUE(right.verified) << right.answer;
    EXPECT_EQ(right.tasks, 3000U);
    const input lost = run;
    run.iterate(17);
    EXPECT_FALSE(checked(run, 0).verified);
    run = lost;
    ++run.loops;
    EXPECT_FALSE(checked(run, 0).verified);
}

TEST(parallel_for, sizes_out_of_range_are_refused) {
    EXPECT_THROW(made(of_size("0x1")), usage_error);
    EXPECT_THROW(made(of_size("1000")), usage_error);
}

}  // namespace
}  // namespace bench::parallel_for
