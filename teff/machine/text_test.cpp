// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text functions under all parsers of this folder: blanks, cutting, and numbers at the limits of `long`.
#include <teff/machine/text.hpp>

#include <gtest/gtest.h>

namespace {

TEST(text, trim_takes_blanks_from_both_ends_only) {
    EXPECT_EQ(teff::trim(" \t a b\r\n"), "a b");
    EXPECT_EQ(teff::trim("a"), "a");
    EXPECT_EQ(teff::trim(" \n"), "");
    EXPECT_EQ(teff::trim(""), "");
}

TEST(text, take_until_cuts_at_the_separator_and_ends_empty) {
    std::string_view rest = "a::b";
    EXPECT_EQ(teff::take_until(rest, ':'), "a");
    EXPECT_EQ(rest, ":b");
    EXPECT_EQ(teff::take_until(rest, ':'), "");
    EXPECT_EQ(teff::take_until(rest, ':'), "b");
    EXPECT_TRUE(rest.empty());
    EXPECT_EQ(teff::take_until(rest, ':'), "");
}

TEST(text, parse_number_reads_whole_decimal_numbers) {
    EXPECT_EQ(teff::parse_number("0"), 0);
    EXPECT_EQ(teff::parse_number("-1"), -1);
    EXPECT_EQ(teff::parse_number("00042"), 42);
    EXPECT_EQ(teff::parse_number("9223372036854775807"), 9223372036854775807L);
}

TEST(text, parse_number_refuses_everything_else) {
    for (const char* text : {"", " 1", "1 ", "+1", "0x10", "1e3", "1.5", "--1", "-", "one", "9223372036854775808"})
        EXPECT_FALSE(teff::parse_number(text).has_value()) << text;
}

}  // namespace
