// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Paths up to the last byte that fits; lines at and around the size of the buffer.
#include <teff/machine/text_file.hpp>

#include <gtest/gtest.h>
#include <tests/fixture_tree.hpp>

#include <array>
#include <string>
#include <vector>

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

std::vector<std::string> lines_of(std::string_view content) {
    const teff::testing::fixture_tree tree;
    tree.write("/file", content);
    teff::text_file file(tree.at("/file").c_str());
    EXPECT_TRUE(file.is_open());
    std::vector<std::string> lines;
    std::string_view line;
    while (file.next_line(line))
        lines.emplace_back(line);
    EXPECT_FALSE(file.next_line(line));
    return lines;
}

using strings = std::vector<std::string>;

TEST(text_file, gives_every_line_with_and_without_an_end) {
    EXPECT_EQ(lines_of(""), strings());
    EXPECT_EQ(lines_of("\n"), strings{""});
    EXPECT_EQ(lines_of("a\n\nb\n"), (strings{"a", "", "b"}));
    EXPECT_EQ(lines_of("a\nb"), (strings{"a", "b"}));
}

TEST(text_file, reads_on_over_the_end_of_its_buffer) {
    strings expected;
    std::string content;
    for (int number = 0; number < 5000; ++number) {
        expected.push_back("line " + std::to_string(number));
        content += expected.back() + "\n";
    }
    EXPECT_EQ(lines_of(content), expected);
}

TEST(text_file, skips_only_the_lines_that_do_not_fit) {
    const std::string fits(4095, 'x');
    const std::string too_long(4096, 'y');
    const std::string far_too_long(20000, 'z');
    const std::string content = "a\n" + too_long + "\nb\n" + far_too_long + "\n" + fits + "\nc\n";
    EXPECT_EQ(lines_of(content), (strings{"a", "b", fits, "c"}));
    EXPECT_EQ(lines_of("a\n" + far_too_long), strings{"a"});
}

TEST(text_file, a_missing_file_is_empty) {
    teff::text_file file("/nowhere/at/all");
    std::string_view line;
    EXPECT_FALSE(file.is_open());
    EXPECT_FALSE(file.next_line(line));
}

TEST(text_file, a_directory_is_empty) {
    teff::text_file file("/");
    std::string_view line;
    EXPECT_FALSE(file.next_line(line));
}

TEST(text_file, first_line_is_trimmed_and_must_fit) {
    const teff::testing::fixture_tree tree;
    tree.write("/file", "  123 \nrest\n");
    std::array<char, 3> exact;
    std::array<char, 2> small;
    EXPECT_EQ(teff::read_first_line(tree.at("/file").c_str(), exact), "123");
    EXPECT_EQ(teff::read_first_line(tree.at("/file").c_str(), small), "");
    EXPECT_EQ(teff::read_first_line(tree.at("/other").c_str(), exact), "");
}

TEST(text_file, a_number_may_be_followed_by_anything) {
    const teff::testing::fixture_tree tree;
    const auto number_in = [&](std::string_view content) {
        tree.write("/file", content);
        return teff::read_leading_number(tree.at("/file").c_str());
    };
    EXPECT_EQ(number_in("4\n"), 4);
    EXPECT_EQ(number_in("0-1\n"), 0);
    EXPECT_EQ(number_in("12,64"), 12);
    EXPECT_EQ(number_in("-1"), -1);
    EXPECT_EQ(number_in(""), std::nullopt);
    EXPECT_EQ(number_in("none"), std::nullopt);
    EXPECT_EQ(number_in("99999999999"), std::nullopt);
    EXPECT_EQ(teff::read_leading_number(tree.at("/other").c_str()), std::nullopt);
}

}  // namespace
