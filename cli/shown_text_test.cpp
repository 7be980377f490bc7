// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of shown_text.hpp: widths, cuts and blanks with characters of every width. What is escaped is tested beside
// teff/base/escaped_text.hpp.
#include <cli/shown_text.hpp>

#include <gtest/gtest.h>

#include <cli/report/drawing/text_table.hpp>

namespace teff::cli {
namespace {

TEST(shown_text, each_language_has_its_spelling) {
    EXPECT_EQ(json_string("<a>\xff"), "\"\\u003ca>\uFFFD\"");
    EXPECT_EQ(markup_text("<a>\xff"), "&lt;a&gt;\uFFFD");
    EXPECT_EQ(terminal_text("a\nb\x1b"), "a\\nb\\x1b");
    EXPECT_EQ(terminal_lines("a\n\tb\x1b\r\n"), "a\n\tb\\x1b\\r\n");
    EXPECT_EQ(terminal_lines(""), "");
    EXPECT_EQ(repaired("a\xff<\n"), "a\uFFFD<\n");
}

TEST(shown_text, wide_characters_take_two_columns_and_accents_none) {
    EXPECT_EQ(columns_of(""), 0U);
    EXPECT_EQ(columns_of("gr\u00fcn"), 4U);
    EXPECT_EQ(columns_of("\u6f22\u5b57"), 4U);
    EXPECT_EQ(columns_of("u\u0308x"), 2U);
    EXPECT_EQ(columns_of("\U0001F600"), 2U);
    EXPECT_EQ(columns_of("\xff"), 1U);
    EXPECT_EQ(characters_in("\u6f22\u5b57\xff"), 3U);
}

TEST(shown_text, cuts_lie_between_characters) {
    EXPECT_EQ(cut_to("gr\u00fcn", 4), "gr\u00fcn");
    EXPECT_EQ(cut_to("gr\u00fcn und blau", 6), "gr\u00fc...");
    EXPECT_EQ(cut_to("\u6f22\u5b57\u6f22\u5b57", 6), "\u6f22...");
    EXPECT_EQ(cut_to("abc", 2, ""), "ab");
    EXPECT_EQ(cut_to("abcdef", 2), "...");
    EXPECT_EQ(first_characters("\u00fcbc", 2), "\u00fcb");
    EXPECT_EQ(first_characters("ab", 5), "ab");
    EXPECT_EQ(last_characters("ab\u00fc", 1), "\u00fc");
    EXPECT_EQ(last_characters("ab", 5), "ab");
    EXPECT_EQ(last_characters("ab", 0), "");
}

TEST(shown_text, blanks_fill_up_the_columns) {
    EXPECT_EQ(padded("\u6f22", 4), "\u6f22  ");
    EXPECT_EQ(padded("\u00fc", 3, true), "  \u00fc");
    EXPECT_EQ(padded("abc", 2), "abc");
}

TEST(shown_text, a_table_of_any_text_has_straight_columns) {
    text_table table({{"name\x1b", false}, {"count", true}});
    table.add({"\u6f22\u5b57", "1"});
    table.add({"a\nb\x1b[2J", "2"});
    table.add({"gr\u00fcn\xff", "3"});
    EXPECT_EQ(table.text(), "name\\x1b     count\n"
                            "------------------\n"
                            "\u6f22\u5b57             1\n"
                            "a\\nb\\x1b[2J      2\n"
                            "gr\u00fcn\uFFFD            3\n");
}

}  // namespace
}  // namespace teff::cli
