// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages in buffers of every size, and values with arbitrary characters.
#include <teff/base/bounded_text.hpp>

#include <gtest/gtest.h>

#include <climits>
#include <string>

namespace {

using teff::bounded_text;

TEST(bounded_text, joins_pieces) {
    char storage[64];
    bounded_text text(storage);
    text.add("from ").add(-3L).add(" to ").add(4096L).add('!');
    EXPECT_EQ(text.view(), "from -3 to 4096!");
    EXPECT_STREQ(storage, "from -3 to 4096!");
}

TEST(bounded_text, shows_the_extreme_numbers) {
    char storage[64];
    EXPECT_EQ(bounded_text(storage).add(LONG_MIN).view(), std::to_string(LONG_MIN));
    EXPECT_EQ(bounded_text(storage).add(LONG_MAX).view(), std::to_string(LONG_MAX));
}

TEST(bounded_text, cuts_off_what_does_not_fit) {
    char storage[4];
    EXPECT_EQ(bounded_text(storage).add("abcdef").view(), "abc");
    EXPECT_STREQ(storage, "abc");
    EXPECT_EQ(bounded_text(std::span<char>(storage, 1)).add("a").view(), "");
    EXPECT_EQ(bounded_text(std::span<char>()).add("a").add(7L).view(), "");
}

TEST(bounded_text, quotes_values_on_one_line) {
    char storage[128];
    EXPECT_EQ(bounded_text(storage).quote("a b").view(), "'a b'");
    EXPECT_EQ(bounded_text(storage).quote("a\n\x1b\xff" "b").view(), "'a\\n\\x1b\uFFFDb'");
    EXPECT_EQ(bounded_text(storage).quote("gr\u00fcn").view(), "'gr\u00fcn'");
    EXPECT_EQ(bounded_text(storage).quote(std::string(59, 'x') + "\u00fc").view(), "'" + std::string(59, 'x') + "...'");
    EXPECT_EQ(bounded_text(storage).quote("").view(), "''");
    EXPECT_EQ(bounded_text(storage).quote(std::string(60, 'x')).view(), "'" + std::string(60, 'x') + "'");
    EXPECT_EQ(bounded_text(storage).quote(std::string(61, 'x')).view(), "'" + std::string(60, 'x') + "...'");
}

}  // namespace
