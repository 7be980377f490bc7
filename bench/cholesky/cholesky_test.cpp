// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cholesky finds the factor for any number and size of tiles, and detects a wrong element and a task that did not run.
#include <bench/cholesky/cholesky.hpp>

#include <bench/dataflow/skipping_face.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace bench::cholesky {
namespace {

std::vector<const tile*> addresses(const std::vector<tile>& tiles) {
    std::vector<const tile*> all;
    for (const tile& each : tiles) all.push_back(&each);
    return all;
}

TEST(cholesky, finds_the_factor) {
    for (const char* size : {"1x1", "9x9", "6x3", "7x1", "60x12", "300x100"}) {
        const outcome result = measured<serial_face>(of_size(size));
        EXPECT_TRUE(result.verified) << size << ": " << result.answer;
        EXPECT_GT(value_of(result, "gflops"), 0);
    }
    EXPECT_EQ(measured<serial_face>(of_size("9x9")).tasks, 1U);
    EXPECT_EQ(measured<serial_face>(of_size("8x2")).tasks, 4U + 12U + 4U);
}

TEST(cholesky, a_task_that_did_not_run_is_noticed) {
    expect_each_skipped_task_is_noticed(of_size("20x4"), measured<serial_face>, measured<skipping_face>);
}

TEST(cholesky, a_wrong_element_is_noticed) {
    workload made(of_size("12x12"));
    EXPECT_FALSE(checked(made, addresses(made.lower), 1).verified);
    factor(made.lower[0], 12);
    EXPECT_TRUE(checked(made, addresses(made.lower), 1).verified);
    double& element = made.lower[0][2 * 12 + 7];
    element += 1e-9;
    EXPECT_FALSE(checked(made, addresses(made.lower), 1).verified);
    element = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checked(made, addresses(made.lower), 1).verified);
}

TEST(cholesky, sizes_out_of_range_are_refused) {
    EXPECT_EQ(workload(of_size("cholesky:6x2")).lower.size(), 6U);
    for (const char* size : {"0x1", "6", "6x0", "6x4", "6x12", "100000x10"})
        EXPECT_THROW(workload(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::cholesky
