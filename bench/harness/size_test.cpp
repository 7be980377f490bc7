// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes are accepted in every documented form, and refused with a message that says what is allowed.
#include <bench/harness/size.hpp>

#include <bench/harness/testing.hpp>

#include <gtest/gtest.h>

namespace bench {
namespace {

constexpr kernel_description kernel = {.name = "example", .sizes = {"12", "34", "1", "2"}, .memory_bytes = nullptr};

TEST(size, names_stand_for_texts_of_the_kernel) {
    EXPECT_EQ(size_text(kernel, of_size("quick")), "12");
    EXPECT_EQ(size_text(kernel, of_size("paper")), "34");
    EXPECT_EQ(size_text(kernel, of_size("56")), "56");
    EXPECT_EQ(size_text(kernel, of_size("example:56")), "56");
    EXPECT_EQ(size_text(kernel, of_size("example:paper")), "34");
    EXPECT_EQ(size_text(kernel, of_size("other:56")), "other:56");
}

TEST(size, numbers_lie_in_their_range) {
    EXPECT_EQ(integer_size(kernel, of_size("56"), 1, 56), 56U);
    EXPECT_EQ(real_size(kernel, of_size("1e-3"), 1e-3, 1), 1e-3);
    for (const char* text : {"57", "0", "-1", "", "5x", "1e1", "99999999999999999999999", " 5"})
        EXPECT_THROW(integer_size(kernel, of_size(text), 1, 56), usage_error) << text;
    for (const char* text : {"2", "1e-4", "nan", "inf", "", "1e-3s"})
        EXPECT_THROW(real_size(kernel, of_size(text), 1e-3, 1), usage_error) << text;
}

TEST(size, the_message_names_kernel_value_and_range) {
    try {
        integer_size(kernel, of_size("99"), 1, 56);
        FAIL() << "99 was taken";
    } catch (const usage_error& error) {
        EXPECT_STREQ(error.what(), "--size 99: example takes quick, paper or a number from 1 to 56");
    }
}

constexpr size_part parts[] = {{"LENGTH", 0, 100}, {"TASKS", 1, 1000}};

std::vector<std::uint64_t> numbers_of(const std::string& text) { return size_numbers(kernel, of_size(text), parts); }

TEST(size, several_numbers_are_read_by_their_parts) {
    EXPECT_EQ(numbers_of("12x34"), (std::vector<std::uint64_t>{12, 34}));
    EXPECT_EQ(numbers_of("example:0x1000"), (std::vector<std::uint64_t>{0, 1000}));
    EXPECT_EQ(numbers_of("5x6,7x8"), (std::vector<std::uint64_t>{5, 6})) << "of a list the first";
    for (const char* text : {"12", "12x", "x34", "12x34x56", "101x34", "12x0", "12x34 ", "12X34", "", ",", "-1x5"})
        EXPECT_THROW(numbers_of(text), usage_error) << text;
    try {
        numbers_of("7");
        FAIL() << "7 was taken";
    } catch (const usage_error& error) {
        EXPECT_STREQ(error.what(), "--size 7: example takes quick, paper or LENGTHxTASKS (0 to 100, 1 to 1000)");
    }
}

}  // namespace
}  // namespace bench
