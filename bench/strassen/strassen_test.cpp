// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// strassen gives the same product as the three loops, with the right number of leaves; only powers of two are sizes.
#include <bench/strassen/strassen.hpp>

#include <bench/harness/serial.hpp>
#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench::strassen {
namespace {

TEST(strassen, multiplies_matrices) {
    for (const char* size : {"1", "2", "64", "128", "256"}) {
        for (const std::size_t base : {std::size_t{1}, usual_base, std::size_t{128}, std::size_t{1024}}) {
            matrix_product product = generated(of_size(size));
            multiply_all<serial_forks>(product, base);
            const outcome result = checked(product, 0, base);
            EXPECT_TRUE(result.verified) << size << ", base " << base << ": " << result.answer << ", expected "
                                         << result.expected;
        }
    }
}

// With factors that share no quarter, a wrong sign would not show. With single numbers, every formula matters.
TEST(strassen, the_formulas_multiply_single_numbers) {
    const double a[] = {2, 3, 5, 7};
    const double b[] = {11, 13, 17, 19};
    double parts[products];
    for (std::size_t index = 0; index < products; ++index) {
        double left, right;
        form_factors(index, &left, &right, {a, 2}, {b, 2}, 1);
        parts[index] = left * right;
    }
    double c[4];
    combine({c, 2}, parts, 1);
    const double expected[] = {2 * 11 + 3 * 17, 2 * 13 + 3 * 19, 5 * 11 + 7 * 17, 5 * 13 + 7 * 19};
    for (std::size_t index = 0; index < 4; ++index) EXPECT_EQ(c[index], expected[index]) << index;
}

struct counting_forks {
    static inline std::size_t calls = 0;

    template <class F> static void each(std::size_t count, const F& f) {
        ++calls;
        serial_forks::each(count, f);
    }
};

// Seven leaves in place of one with each fork.
TEST(strassen, counts_its_leaves) {
    EXPECT_EQ(checked(generated(of_size("64")), 0, usual_base).tasks, 1U);
    EXPECT_EQ(checked(generated(of_size("256")), 0, usual_base).tasks, 49U);
    for (const std::size_t base : {std::size_t{16}, std::size_t{32}, std::size_t{100}, std::size_t{256}}) {
        matrix_product product = generated(of_size("256"));
        counting_forks::calls = 0;
        multiply_all<counting_forks>(product, base);
        EXPECT_EQ(checked(product, 0, base).tasks, 1 + 6 * counting_forks::calls) << base;
    }
}

TEST(strassen, the_cutoff_is_the_base) {
    parameters asked = of_size("256");
    EXPECT_EQ(base_of(asked), usual_base);
    asked.cutoff = 128;
    EXPECT_EQ(base_of(asked), 128U);
    asked.cutoff = 0;
    EXPECT_EQ(base_of(asked), 1U);
}

TEST(strassen, sizes_out_of_range_are_refused) {
    EXPECT_EQ(generated(of_size("strassen:32")).size(), 32U);
    for (const char* size : {"0", "3", "100", "32768"}) EXPECT_THROW(generated(of_size(size)), usage_error) << size;
}

}  // namespace
}  // namespace bench::strassen
