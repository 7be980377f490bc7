// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cuts before, inside and after characters of one to four bytes.
#include <teff/base/utf8.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <string_view>

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
}  // namespace teff
