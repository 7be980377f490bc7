// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Characters of UTF-8 and every broken form of them; each language with the text that would leave its place there.
#include <teff/base/escaped_text.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace teff {
namespace {

TEST(utf8, short_texts_are_not_cut) {
    EXPECT_EQ(cut_utf8("", 0), "");
    EXPECT_EQ(cut_utf8("gemm", 4), "gemm");
    EXPECT_EQ(cut_utf8("\u00fc", 2), "\u00fc");
}

TEST(utf8, a_character_is_kept_or_left_out) {
    EXPECT_EQ(cut_utf8("gemm", 3), "gem");
    for (const std::string_view character : {"\u00fc", "\u20ac", "\U0001F600"}) {
        const std::string text = "x" + std::string(character) + "y";
        for (std::size_t most = 1; most <= character.size(); ++most)
            EXPECT_EQ(cut_utf8(text, most), "x") << most;
        EXPECT_EQ(cut_utf8(text, 1 + character.size()), text.substr(0, 1 + character.size()));
    }
}

// Such a text is not UTF-8.
TEST(utf8, bytes_that_continue_nothing_are_left_out) { EXPECT_EQ(cut_utf8("\x80\x80\x80", 2), ""); }

}  // namespace

namespace {

template <class Escape>
std::string pieces_of(const Escape& escape) {
    std::string made;
    escape([&](std::string_view piece) { made += piece; });
    return made;
}
std::string as_json(std::string_view text) {
    return pieces_of([&](const auto& add) { escape_json(text, add); });
}
std::string as_markup(std::string_view text) {
    return pieces_of([&](const auto& add) { escape_markup(text, add); });
}
std::string as_graphviz(std::string_view text) {
    return pieces_of([&](const auto& add) { escape_graphviz(text, add); });
}
std::string as_line(std::string_view text) {
    return pieces_of([&](const auto& add) { escape_terminal(text, add); });
}

constexpr std::string_view plain = "gr\u00fcn \u20ac \U0001F600 a/b_c:1 [x] {y} (z) ~";

TEST(escaped_text, what_is_harmless_stays) {
    EXPECT_EQ(as_json(plain), plain);
    EXPECT_EQ(as_markup(plain), plain);
    EXPECT_EQ(as_graphviz(plain), plain);
    EXPECT_EQ(as_line(plain), plain);
    EXPECT_EQ(as_json(""), "");
}

TEST(escaped_text, json_strings_stay_strings_also_in_a_page) {
    EXPECT_EQ(as_json("a\"b\\c"), "a\\\"b\\\\c");
    EXPECT_EQ(as_json("<!-- <script></script>"), "\\u003c!-- \\u003cscript>\\u003c/script>");
    EXPECT_EQ(as_json(std::string_view("\0\n\x1f\x7f", 4)), "\\u0000\\u000a\\u001f\\u007f");
    EXPECT_EQ(as_json("\u0085\u009b\u2028\u2029"), "\\u0085\\u009b\\u2028\\u2029");
}

TEST(escaped_text, markup_has_no_elements_no_ends_of_attributes_and_nothing_that_xml_forbids) {
    EXPECT_EQ(as_markup("<a b=\"c\" d='e'>&amp;"), "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;amp;");
    EXPECT_EQ(as_markup(std::string_view("\0\x1b\t\n\x7f", 5)), "\uFFFD\uFFFD\t\n\uFFFD");
    EXPECT_EQ(as_markup("\u0080\uFFFE\uFFFF"), "\uFFFD\uFFFD\uFFFD");
}

TEST(escaped_text, graphviz_has_no_ends_of_strings_no_escapes_and_no_entities) {
    EXPECT_EQ(as_graphviz("a\"b\\N&lt;\n"), "a\\\"b\\\\N&amp;lt;\uFFFD");
}

TEST(escaped_text, a_terminal_gets_one_line_and_nothing_that_it_obeys) {
    EXPECT_EQ(as_line("a\nb\tc\rd\x1b[2Je\x7f"), "a\\nb\\tc\\rd\\x1b[2Je\\x7f");
    EXPECT_EQ(as_line("\u0085\u009b31m\u2028\u202e\u2066"), "\\u0085\\u009b31m\\u2028\\u202e\\u2066");
    // One byte that such a terminal takes for the control character.
    EXPECT_EQ(as_line("\x9b" "31m"), "\uFFFD31m");
    const std::string once = as_line("a\\n\x1b\xff");
    EXPECT_EQ(as_line(once), once);
}

TEST(escaped_text, broken_characters_are_replaced_and_the_next_one_is_found) {
    struct broken {
        std::string_view text;
        std::string_view repaired;
    };
    const std::vector<broken> all = {
        {"a\x80z", "a\uFFFDz"},                                    // continues nothing
        {"a\xffz", "a\uFFFDz"},                                    // no byte of UTF-8
        {"a\xc0\xafz", "a\uFFFD\uFFFDz"},                          // too long for its number
        {"a\xe0\x80\x80z", "a\uFFFD\uFFFD\uFFFDz"},                // the same, of three bytes
        {"a\xf0\x80\x80\x80z", "a\uFFFD\uFFFD\uFFFD\uFFFDz"},      // and of four
        {"a\xed\xa0\x80z", "a\uFFFD\uFFFD\uFFFDz"},                // a surrogate
        {"a\xf4\x90\x80\x80z", "a\uFFFD\uFFFD\uFFFD\uFFFDz"},      // above the greatest number
        {"a\xe2\x82z", "a\uFFFDz"},                                // its last byte is missing
        {"a\xf0\x9f\x98", "a\uFFFD"},                              // the text ends inside
        {"a\xe2\x82\"", "a\uFFFD\\\""},                            // it must not swallow a quote
    };
    for (const broken& each : all) {
        EXPECT_EQ(as_json(each.text), each.repaired);
        if (!each.text.ends_with('"')) {
            EXPECT_EQ(as_markup(each.text), each.repaired);
            EXPECT_EQ(as_graphviz(each.text), each.repaired);
            EXPECT_EQ(as_line(each.text), each.repaired);
        }
    }
}

// Every number that a character can have, and the surrogates, which none has.
TEST(escaped_text, all_characters_are_read_as_they_are_written) {
    for (char32_t code = 0x80; code <= 0x10FFFF; ++code) {
        std::string text;
        if (code < 0x800) {
            text = {static_cast<char>(0xC0 | code >> 6), static_cast<char>(0x80 | (code & 0x3F))};
        } else if (code < 0x10000) {
            text = {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
                    static_cast<char>(0x80 | (code & 0x3F))};
        } else {
            text = {static_cast<char>(0xF0 | code >> 18), static_cast<char>(0x80 | (code >> 12 & 0x3F)),
                    static_cast<char>(0x80 | (code >> 6 & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
        }
        const utf8_character seen = first_character(text + "x");
        const bool is_surrogate = code >= 0xD800 && code < 0xE000;
        ASSERT_EQ(seen.is_whole, !is_surrogate) << static_cast<unsigned>(code);
        ASSERT_EQ(seen.code, is_surrogate ? replacement_character : code);
        ASSERT_EQ(seen.size, is_surrogate ? std::size_t{1} : text.size()) << static_cast<unsigned>(code);
    }
}

// A buffer that takes only whole pieces never ends inside a character or an escape.
TEST(escaped_text, pieces_are_whole) {
    const auto check = [](std::string_view piece) {
        if (piece.front() != '\\' && piece.front() != '&') {
            EXPECT_EQ(first_character(piece).size, piece.size()) << piece;
        }
        EXPECT_LE(piece.size(), 8U);
    };
    constexpr std::string_view text = "a\u00fc\u20ac\U0001F600\"\\<&\n\x1b\u2028\xff";
    escape_json(text, check);
    escape_markup(text, check);
    escape_graphviz(text, check);
    escape_terminal(text, check);
}

}  // namespace
}  // namespace teff
