// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// parallel_sort checks that the measured function has sorted the elements.
#include <bench/parallel_sort/parallel_sort.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace bench::parallel_sort {
namespace {

TEST(parallel_sort, only_what_was_sorted_is_verified) {
    const parameters p = of_size("parallel_sort:1000");
    const outcome right = measured(p, [](auto& elements) { std::sort(elements.begin(), elements.end()); });
    EXPECT_TRUE(right.verified) << right.answer;
    EXPECT_EQ(right.tasks, 1000U);
    EXPECT_FALSE(measured(p, [](auto&) {}).verified);
    EXPECT_FALSE(measured(p, [](auto& elements) { std::fill(elements.begin(), elements.end(), 1U); }).verified);
    EXPECT_THROW(generated(of_size("0")), usage_error);
}

}  // namespace
}  // namespace bench::parallel_sort
