// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of text.hpp: strict numbers, lists, suggestions and units.
#include <cli/text.hpp>

#include <gtest/gtest.h>

namespace teff::cli {
namespace {

using strings = std::vector<std::string>;

TEST(text, a_list_drops_empty_parts_and_blanks) {
    EXPECT_EQ(split_list("a, b,,c ,"), (strings{"a", "b", "c"}));
    EXPECT_EQ(split_list(""), strings{});
    EXPECT_EQ(split_list("one"), strings{"one"});
}

TEST(text, words_are_joined_as_in_a_sentence) {
    EXPECT_EQ(join_words(strings{}), "");
    EXPECT_EQ(join_words(strings{"a"}), "a");
    EXPECT_EQ(join_words(strings{"a", "b", "c"}), "a, b and c");
}

TEST(text, numbers_are_read_whole_or_not_at_all) {
    EXPECT_EQ(parse_integer("-12"), -12);
    EXPECT_EQ(parse_integer("12x"), std::nullopt);
    EXPECT_EQ(parse_integer(""), std::nullopt);
    EXPECT_EQ(parse_integer("99999999999999999999"), std::nullopt);
    EXPECT_EQ(parse_number("0.25"), 0.25);
    EXPECT_EQ(parse_number("1e3"), 1000.0);
    EXPECT_EQ(parse_number("1.5s"), std::nullopt);
    EXPECT_EQ(parse_number("inf"), std::nullopt);
    EXPECT_EQ(parse_number("nan"), std::nullopt);
}

TEST(text, the_nearest_name_is_suggested_only_when_near) {
    const strings names = {"fib", "pi", "nqueens", "floorplan", "knapsack"};
    EXPECT_EQ(nearest("fbi", names), "fib");
    EXPECT_EQ(nearest("nqueen", names), "nqueens");
    EXPECT_EQ(nearest("floor", names), "floorplan");
    EXPECT_EQ(nearest("knapsak", names), "knapsack");
    EXPECT_EQ(nearest("matrix", names), std::nullopt);
    EXPECT_EQ(suggestion("matrix", names), "");
    EXPECT_EQ(suggestion("fob", names), " (did you mean 'fib'?)");
}

TEST(text, the_first_line_has_no_blanks_around_it) {
    EXPECT_EQ(first_line("\n  cause \nmore"), "cause");
    EXPECT_EQ(first_line(""), "");
}

TEST(text, units_fit_the_value) {
    EXPECT_EQ(format_bytes(100), "100 B");
    EXPECT_EQ(format_bytes(1536), "1.5 KiB");
    EXPECT_EQ(format_bytes(3ULL << 30), "3.0 GiB");
    EXPECT_EQ(format_seconds(2.5), "2.5 s");
    EXPECT_EQ(format_seconds(0.012345), "12.35 ms");
    EXPECT_EQ(format_seconds(4.2e-6), "4.2 us");
    EXPECT_EQ(format_seconds(3e-9), "3 ns");
}

}  // namespace
}  // namespace teff::cli
