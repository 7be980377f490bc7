// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fft agrees with the sum that defines the transform, finds its waves at every size, and detects a wrong element.
#include <bench/fft/fft.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace bench::fft {
namespace {

TEST(fft, transforms_as_its_definition_says) {
    workload made = generated(of_size("16"));
    for (std::size_t index = 0; index < 16; ++index)
        made.input[index] = {static_cast<double>(index * index % 11), static_cast<double>(index * 7 % 5)};
    made.transform_all<serial_forks>();
    for (std::size_t frequency = 0; frequency < 16; ++frequency) {
        complex sum{0, 0};
        for (std::size_t index = 0; index < 16; ++index) {
            const double angle = -2 * std::numbers::pi * static_cast<double>(frequency * index) / 16;
            sum = sum + made.input[index] * complex{std::cos(angle), std::sin(angle)};
        }
        EXPECT_NEAR(made.output[frequency].real, sum.real, 1e-11);
        EXPECT_NEAR(made.output[frequency].imaginary, sum.imaginary, 1e-11);
    }
}

TEST(fft, finds_the_waves) {
    for (const char* size : {"1", "2", "8", "1024", "2048", "8192"}) {
        workload made = generated(of_size(size));
        made.transform_all<serial_forks>();
        const outcome result = checked(made, 0);
        EXPECT_TRUE(result.verified) << size << ": " << result.answer;
    }
}

TEST(fft, a_wrong_element_is_noticed) {
    workload made = generated(of_size("1024"));
    EXPECT_FALSE(checked(made, 0).verified);
    made.transform_all<serial_forks>();
    EXPECT_TRUE(checked(made, 0).verified);
    made.output[77].imaginary += 1e-9;
    EXPECT_FALSE(checked(made, 0).verified);
    made.output[77].imaginary = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(checked(made, 0).verified);
}

TEST(fft, counts_its_leaves) {
    EXPECT_EQ(checked(generated(of_size("64")), 0).tasks, 1U);
    EXPECT_EQ(checked(generated(of_size("8192")), 0).tasks, 8U);
}

TEST(fft, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("fft:32")).input.size(), 32U);
    for (const char* size : {"0", "3", "100", "2147483648"}) EXPECT_THROW(generated(of_size(size)), usage_error);
}

}  // namespace
}  // namespace bench::fft
