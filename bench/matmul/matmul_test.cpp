// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// matmul multiplies matrices of any size, and its check detects a single wrong element of a product.
#include <bench/matmul/matmul.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace bench::matmul {
namespace {

TEST(matrix_product, small_rectangles_are_multiplied) {
    const double a[] = {1, 2, 3, 4, 5, 6};        // 2 rows, 3 columns
    const double b[] = {1, 10, 2, 20, 3, 30};     // 3 rows, 2 columns
    double c[] = {0, 0, 1, 0, 0, 1};              // the third column is not part of the product
    multiply_add({c, 3}, {a, 3}, {b, 2}, 2, 3, 2);
    const double expected[] = {14, 140, 1, 32, 320, 1};
    for (std::size_t index = 0; index < 6; ++index) EXPECT_EQ(c[index], expected[index]) << index;
}

TEST(matrix_product, one_wrong_element_is_noticed) {
    matrix_product product(20);
    EXPECT_FALSE(product.checked(0, 1).verified);
    multiply_add(product.result(), product.left(), product.right(), 20, 20, 20);
    EXPECT_TRUE(product.checked(0, 1).verified);
    product.result().row(3)[19] += 1;
    EXPECT_EQ(product.checked(0, 1).answer, "wrong in row 3");
    product.result().row(3)[19] = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(product.checked(0, 1).verified);
}

TEST(matmul, multiplies_matrices_of_any_size) {
    for (const char* size : {"1", "32", "33", "64", "100", "131"}) {
        matrix_product product = generated(of_size(size));
        multiply_all<serial_forks>(product);
        const outcome result = checked(product, 0);
        EXPECT_TRUE(result.verified) << size << ": " << result.answer << ", expected " << result.expected;
    }
}

TEST(matmul, counts_its_leaves) {
    EXPECT_EQ(checked(generated(of_size("32")), 0).tasks, 1U);
    EXPECT_EQ(checked(generated(of_size("33")), 0).tasks, 8U);
    EXPECT_EQ(checked(generated(of_size("128")), 0).tasks, 64U);
}

TEST(matmul, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("matmul:30")).size(), 30U);
    EXPECT_THROW(generated(of_size("0")), usage_error);
    EXPECT_THROW(generated(of_size("16385")), usage_error);
}

}  // namespace
}  // namespace bench::matmul
