// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// sparselu finds factors whose product is the matrix, for any number and size of blocks, and detects a wrong element.
#include <bench/sparselu/sparselu.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace bench::sparselu {
namespace {

TEST(sparselu, factors_a_single_block) {
    double block[] = {2, 1, 4, 5};
    factor(block, 2);
    const double expected[] = {2, 1, 2, 3};
    for (std::size_t index = 0; index < 4; ++index) EXPECT_EQ(block[index], expected[index]) << index;
}

TEST(sparselu, solves_by_either_factor) {
    const double diagonal[] = {2, 1, 2, 3};      // (1 0, 2 1) and (2 1, 0 3)
    double right[] = {5, 6, 17, 20};             // the lower factor times (5 6, 7 8)
    solve_right(diagonal, right, 2);
    double below[] = {10, 23, 14, 31};           // (5 6, 7 8) times the upper factor
    solve_below(diagonal, below, 2);
    const double expected[] = {5, 6, 7, 8};
    for (std::size_t index = 0; index < 4; ++index) {
        EXPECT_EQ(right[index], expected[index]) << index;
        EXPECT_EQ(below[index], expected[index]) << index;
    }
}

TEST(sparselu, finds_factors_of_the_matrix) {
    for (const char* size : {"1x1", "1x9", "2x3", "7x1", "10x5"}) {
        workload made = generated(of_size(size));
        factor_all<serial_forks>(made.matrix);
        const outcome result = checked(made, 0);
        EXPECT_TRUE(result.verified) << size << ": " << result.answer;
    }
}

TEST(sparselu, some_blocks_stay_empty_and_some_fill_up) {
    const workload made = generated(of_size("7x1"));
    EXPECT_EQ(made.matrix.block(0, 2), nullptr);
    EXPECT_NE(made.matrix.block(4, 6), nullptr);
    EXPECT_NE(made.matrix.block(0, 6), nullptr);
    EXPECT_EQ(generated(of_size("2x3")).matrix.blocks(), 2U);
    EXPECT_EQ(checked(generated(of_size("2x3")), 0).tasks, 5U);
}

TEST(sparselu, a_wrong_element_is_noticed) {
    workload made = generated(of_size("10x5"));
    EXPECT_FALSE(checked(made, 0).verified);
    factor_all<serial_forks>(made.matrix);
    EXPECT_TRUE(checked(made, 0).verified);
    made.matrix.block(6, 9)[7] += 1e-9;
    EXPECT_FALSE(checked(made, 0).verified);
    made.matrix.block(6, 9)[7] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checked(made, 0).verified);
}

TEST(sparselu, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("sparselu:2x3")).vector.size(), 6U);
    for (const char* size : {"0x5", "5", "5x0", "1001x5"}) EXPECT_THROW(generated(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::sparselu
