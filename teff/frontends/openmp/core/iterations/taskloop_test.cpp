// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each division covers all iterations, and its tasks have the sizes that the clauses ask for.
#include <teff/frontends/openmp/core/iterations/taskloop.hpp>

#include <gtest/gtest.h>

namespace {

using teff::openmp::divide;
using teff::openmp::division;
using teff::openmp::taskloop_parts;

std::uint64_t sum(const taskloop_parts& parts) {
    std::uint64_t all = 0;
    for (std::uint64_t each = 0; each != parts.count; ++each)
        all += parts.size_of(each);
    return all;
}

TEST(taskloop, covers_all_iterations) {
    for (std::uint64_t iterations = 1; iterations != 70; ++iterations) {
        for (std::uint64_t number = 1; number != 80; ++number) {
            for (const division by : {division::none, division::grainsize, division::tasks}) {
                for (const bool is_strict : {false, true})
                    EXPECT_EQ(sum(divide(iterations, by, number, is_strict, 3)), iterations);
            }
        }
    }
}

TEST(taskloop, grainsize_is_a_lower_bound) {
    for (std::uint64_t iterations = 7; iterations != 100; ++iterations) {
        const taskloop_parts parts = divide(iterations, division::grainsize, 7, false, 4);
        for (std::uint64_t each = 0; each != parts.count; ++each) {
            EXPECT_GE(parts.size_of(each), 7U);
            EXPECT_LT(parts.size_of(each), 14U);
        }
    }
}

TEST(taskloop, strict_grainsize_is_exact) {
    const taskloop_parts parts = divide(23, division::grainsize, 5, true, 4);
    EXPECT_EQ(parts.count, 5U);
    for (std::uint64_t each = 0; each != 4; ++each)
        EXPECT_EQ(parts.size_of(each), 5U);
    EXPECT_EQ(parts.size_of(4), 3U);
}

TEST(taskloop, number_of_tasks) {
    EXPECT_EQ(divide(100, division::tasks, 7, false, 4).count, 7U);
    EXPECT_EQ(divide(3, division::tasks, 7, true, 4).count, 3U);
    EXPECT_EQ(divide(100, division::none, 1, false, 1).count, 1U);
    EXPECT_GE(divide(1000, division::none, 1, false, 4).count, 16U);
    EXPECT_EQ(divide(~std::uint64_t{0}, division::tasks, 2, false, 4).size_of(1), ~std::uint64_t{0} / 2);
}

}  // namespace
