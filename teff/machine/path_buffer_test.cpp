// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Building, shortening and overfilling a path.
#include <teff/machine/path_buffer.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(path_buffer, is_built_from_pieces_and_numbers) {
    teff::path_buffer path;
    path.append("/cpu").append(17).append("/topology");
    EXPECT_TRUE(path.valid());
    EXPECT_EQ(path.view(), "/cpu17/topology");
    EXPECT_STREQ(path.c_str(), "/cpu17/topology");
    path.shorten(4);
    EXPECT_STREQ(path.c_str(), "/cpu");
    path.shorten(100);
    EXPECT_EQ(path.view(), "/cpu");
}

TEST(path_buffer, holds_one_character_less_than_path_max) {
    teff::path_buffer path;
    EXPECT_TRUE(path.append(std::string(PATH_MAX - 1, 'a')).valid());
    EXPECT_FALSE(path.append("b").valid());
}

TEST(path_buffer, a_piece_that_does_not_fit_makes_it_invalid_until_shortened) {
    teff::path_buffer path;
    path.append("/a");
    EXPECT_FALSE(path.append(std::string(PATH_MAX, 'b')).valid());
    path.shorten(2);
    EXPECT_TRUE(path.valid());
    EXPECT_EQ(path.view(), "/a");
}

TEST(path_buffer, a_zero_byte_is_refused) {
    teff::path_buffer path;
    EXPECT_FALSE(path.append(std::string_view("a\0b", 3)).valid());
    path.clear();
    EXPECT_TRUE(path.append("c").valid());
}

}  // namespace
