// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// syrk computes the product that its definition gives, and detects a wrong element and a task that did not run.
#include <bench/syrk/syrk.hpp>

#include <bench/dataflow/skipping_face.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace bench::syrk {
namespace {

// Adds the product to the lower tiles, element by element.
void add_product_to(workload& all) {
    const std::size_t rows = all.shape.rows;
    const auto factor = [&](std::size_t row, std::size_t column) {
        return all.factor[row / rows * all.shape.count + column / rows][column % rows * rows + row % rows];
    };
    for (std::size_t row = 0; row < all.shape.size(); ++row)
        for (std::size_t column = 0; column <= row; ++column)
            for (std::size_t step = 0; step < all.shape.size(); ++step)
                all.lower[tiling::lower_place(row / rows, column / rows)][column % rows * rows + row % rows] +=
                    factor(row, step) * factor(column, step);
}

std::vector<const tile*> addresses(const std::vector<tile>& tiles) {
    std::vector<const tile*> all;
    for (const tile& each : tiles) all.push_back(&each);
    return all;
}

TEST(syrk, finds_the_product) {
    for (const char* size : {"1x1", "9x9", "6x3", "7x1", "60x12", "300x100"}) {
        const outcome result = measured<serial_face>(of_size(size));
        EXPECT_TRUE(result.verified) << size << ": " << result.answer;
        EXPECT_GT(value_of(result, "gflops"), 0);
    }
    EXPECT_EQ(measured<serial_face>(of_size("8x2")).tasks, 40U);
}

TEST(syrk, the_check_is_that_of_the_definition) {
    workload all(of_size("12x4"));
    EXPECT_FALSE(checked(all, addresses(all.lower), 1).verified);
    add_product_to(all);
    EXPECT_TRUE(checked(all, addresses(all.lower), 1).verified);
}

TEST(syrk, a_task_that_did_not_run_is_noticed) {
    expect_each_skipped_task_is_noticed(of_size("20x5"), measured<serial_face>, measured<skipping_face>);
}

TEST(syrk, a_wrong_element_is_noticed) {
    workload all(of_size("12x4"));
    add_product_to(all);
    double& element = all.lower[tiling::lower_place(2, 1)][7];
    element += 1;
    EXPECT_FALSE(checked(all, addresses(all.lower), 1).verified);
    element = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checked(all, addresses(all.lower), 1).verified);
}

TEST(syrk, sizes_out_of_range_are_refused) {
    for (const char* size : {"0x1", "6", "6x0", "6x4", "100000x10"})
        EXPECT_THROW(workload(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::syrk
